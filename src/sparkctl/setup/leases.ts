import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { LEASES } from '../../kube/lease';
import type { KubeObject } from '../../kube/objects';
import { apiVersionOf } from '../../kube/resource';
import { groupSelector } from '../../model/member-lease';

/**
 * The Leases by which the replicas of an operator agree, which they have made themselves.
 *
 * @param lock name of the Lease that they have together; undefined if there is no election
 * @returns none if they may not be looked at: they do no harm
 */
export async function operatorLeases(client: Pick<KubeClient, 'listPage'>, namespace: string, lock: string | undefined, signal: AbortSignal): Promise<KubeObject[]> {
  if (lock === undefined) return [];
  try {
    const pages = await Promise.all([{ fieldSelector: `metadata.name=${lock}` }, { labelSelector: groupSelector(lock) }].map((selection) => client.listPage(LEASES, { namespace, ...selection, signal })));
    return pages.flatMap(({ items }) => items).map((lease) => ({ ...lease, apiVersion: apiVersionOf(LEASES), kind: LEASES.kind }));
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
