import type { Viewer } from './viewer';
import type { OperatorReader } from '../../explain/read-give-up';
import type { KubeClient } from '../../kube/client';
import { ApiError } from '../../kube/errors';
import { LEASES } from '../../kube/lease';
import type { Resource } from '../../kube/resource';
import { OPERATOR_DEPLOYMENTS, OPERATOR_SELECTOR, type OperatorDeployment } from '../../model/operator-deployment';

/**
 * Returns a reader of an operator's objects. It reads what the viewer and the console can read,
 * and ignores failures, because few facts depend on these objects.
 */
export function operatorReader(client: Pick<KubeClient, 'get' | 'list'>, viewer: Viewer, signal: AbortSignal): OperatorReader {
  const ifAllowed = async <T>(
    verb: string, { group, plural }: Resource, namespace: string, read: () => Promise<T>,
  ): Promise<T | undefined> => {
    if (!await viewer.may({ verb, group, resource: plural, namespace })) return undefined;
    return read().catch((error: unknown) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    });
  };
  return {
    async deployments(namespace) {
      return await ifAllowed('list', OPERATOR_DEPLOYMENTS, namespace, async () => {
        const found: OperatorDeployment[] = [];
        const selection = { namespace, labelSelector: OPERATOR_SELECTOR, signal };
        for await (const deployment of client.list(OPERATOR_DEPLOYMENTS, selection)) found.push(deployment);
        return found;
      }) ?? [];
    },
    lease: (ref) => ifAllowed('get', LEASES, ref.namespace, () => client.get(LEASES, ref, { signal })),
  };
}
