import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { LEASES } from '../../kube/lease';
import type { KubeObject } from '../../kube/objects';
import { apiVersionOf } from '../../kube/resource';

/**
 * The Lease by which the replicas of an operator agree, which they have made themselves.
 *
 * @param lock name of the Lease that they have together; undefined if there is no election
 * @returns none if the user cannot read it: it does no harm
 */
export async function operatorLeases(client: Pick<KubeClient, 'listPage'>, namespace: string, lock: string | undefined, signal: AbortSignal): Promise<KubeObject[]> {
  if (lock === undefined) return [];
  try {
    const { items } = await client.listPage(LEASES, { namespace, fieldSelector: `metadata.name=${lock}`, signal });
    return items.map((lease) => ({ ...lease, apiVersion: apiVersionOf(LEASES), kind: LEASES.kind }));
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
