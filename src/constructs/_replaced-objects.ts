import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';

/** A cluster has them once, and they are the same whoever brings them. */
const SHARED = 'CustomResourceDefinition';

/**
 * Refuses objects that the chart has already: of two with one name in a manifest the second replaces the first.
 *
 * @param kind the construct that has made them
 * @param remedy what to do instead, as the rest of a sentence
 * @internal
 */
export function refuseReplacing(kind: string, scope: Construct, remedy: string): void {
  const own = new Map(objectsIn(scope).map((object) => [identityOf(object), object]));
  const other = objectsIn(Chart.of(scope)).find((object) => own.has(identityOf(object)) && !object.node.scopes.includes(scope));
  if (!other) return;
  const { name, namespace } = other.metadata;
  throw new Error(`${kind} at ${scope.node.path}: its ${other.kind} ${name}${namespace === undefined ? '' : ` in ${namespace}`} would replace that at ${other.node.path}; ${remedy}`);
}

function objectsIn(scope: Construct): ApiObject[] {
  return scope.node.findAll().filter((child): child is ApiObject => ApiObject.isApiObject(child) && child.kind !== SHARED);
}

function identityOf({ apiGroup, kind, metadata }: ApiObject): string {
  return [apiGroup, kind, metadata.namespace ?? '', metadata.name].join('/');
}
