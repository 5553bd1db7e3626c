import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { LEASES } from '../../kube/lease';
import type { KubeObject } from '../../kube/objects';
import { apiVersionOf } from '../../kube/resource';

/**
 * Reads the Lease that elects the leader among an operator's replicas, which the operator has
 * created.
 *
 * @param lock name of the Lease; undefined without leader election
 * @returns an empty list if the user cannot list Leases: leaving them is harmless
 */
export async function operatorLeases(
  client: Pick<KubeClient, 'listPage'>, namespace: string, lock: string | undefined, signal: AbortSignal,
): Promise<KubeObject[]> {
  if (lock === undefined) return [];
  try {
    const { items } = await client.listPage(LEASES, { namespace, fieldSelector: `metadata.name=${lock}`, signal });
    return items.map((lease) => ({ ...lease, apiVersion: apiVersionOf(LEASES), kind: LEASES.kind }));
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
