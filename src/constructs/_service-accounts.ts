import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { rejectProps } from '../props/_check';

/**
 * Rejects a service account that the chart already contains: of two in one manifest, the second
 * replaces the first, with its annotations and its token.
 *
 * @param kind the construct that creates it
 * @param prop the prop with its name
 * @internal
 */
export function rejectSecondAccount(
  kind: string, scope: Construct, prop: string, { name, namespace }: { readonly name: string; readonly namespace?: string },
): void {
  const isSame = (child: unknown) => ApiObject.isApiObject(child) && child.kind === 'ServiceAccount' && child.metadata.name === name
    && child.metadata.namespace === namespace;
  const other = Chart.of(scope).node.findAll().find(isSame);
  if (other) {
    rejectProps(kind, scope.node.path, [{
      path: prop, value: name,
      reason: `is the name of the service account at ${other.node.path}, which it would replace; choose another one`,
    }]);
  }
}
