import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { replacedBy } from './_app';
import type { Problem } from '../model/problem';

/**
 * Returns the problem of objects that the chart already contains.
 *
 * @param scope the construct that has created them
 * @param remedy what to do instead
 * @internal
 */
export function replacedObjects(scope: Construct, remedy: string): Problem[] {
  for (const object of scope.node.findAll()) {
    const other = ApiObject.isApiObject(object) ? replacedBy(object) : undefined;
    if (other === undefined || other.node.scopes.includes(scope)) continue;
    const { kind, metadata: { name, namespace } } = other;
    const path = `${kind} ${name}${namespace === undefined ? '' : ` in ${namespace}`}`;
    return [{ path, reason: `would replace the one at ${other.node.path}`, remedy }];
  }
  return [];
}
