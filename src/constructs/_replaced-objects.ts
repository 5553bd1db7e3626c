import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { Problem } from '../model/problem';

/** Cluster-scoped objects that are equal in all installations. */
const SHARED = 'CustomResourceDefinition';

/**
 * Returns the problem of objects that the chart already contains: of two with one name in a
 * manifest, the second replaces the first.
 *
 * @param scope the construct that has created them
 * @param remedy what to do instead
 * @internal
 */
export function replacedObjects(scope: Construct, remedy: string): Problem[] {
  const first = new Map<string, ApiObject>();
  for (const object of objectsIn(Chart.of(scope))) {
    const other = first.get(identityOf(object));
    if (other === undefined) {
      first.set(identityOf(object), object);
    } else if (object.node.scopes.includes(scope) && !other.node.scopes.includes(scope)) {
      const { name, namespace } = object.metadata;
      return [{
        path: `${object.kind} ${name}${namespace === undefined ? '' : ` in ${namespace}`}`,
        reason: `would replace the one at ${other.node.path}`, remedy,
      }];
    }
  }
  return [];
}

function objectsIn(scope: Construct): ApiObject[] {
  return scope.node.findAll().filter((child): child is ApiObject => ApiObject.isApiObject(child) && child.kind !== SHARED);
}

function identityOf({ apiGroup, kind, metadata }: ApiObject): string {
  return [apiGroup, kind, metadata.namespace ?? '', metadata.name].join('/');
}
