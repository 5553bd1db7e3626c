import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';

/** Cluster-scoped objects that are equal in all installations. */
const SHARED = 'CustomResourceDefinition';

/**
 * Rejects objects that the chart already contains: of two with one name in a manifest, the second
 * replaces the first.
 *
 * @param kind the construct that has created them
 * @param remedy what to do instead, as the end of a sentence
 * @internal
 */
export function rejectReplacing(kind: string, scope: Construct, remedy: string): void {
  const own = new Map(objectsIn(scope).map((object) => [identityOf(object), object]));
  const other = objectsIn(Chart.of(scope)).find((object) => own.has(identityOf(object)) && !object.node.scopes.includes(scope));
  if (!other) return;
  const { name, namespace } = other.metadata;
  throw new Error(
    `${kind} at ${scope.node.path}: its ${other.kind} ${name}${namespace === undefined ? '' : ` in ${namespace}`} would replace the one at ${other.node.path}; ${remedy}`,
  );
}

function objectsIn(scope: Construct): ApiObject[] {
  return scope.node.findAll().filter((child): child is ApiObject => ApiObject.isApiObject(child) && child.kind !== SHARED);
}

function identityOf({ apiGroup, kind, metadata }: ApiObject): string {
  return [apiGroup, kind, metadata.namespace ?? '', metadata.name].join('/');
}
