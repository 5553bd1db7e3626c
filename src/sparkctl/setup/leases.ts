import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { LEASES } from '../../kube/lease';
import type { KubeObject } from '../../kube/objects';
import { apiVersionOf } from '../../kube/resource';
import { groupSelector } from '../../operator/shards/member-lease';

/**
 * Reads the Leases of an operator's replicas, which the operator itself has created.
 *
 * @param lock name of the shared Lease; undefined without leader election
 * @returns an empty list if the user cannot list Leases: leaving them is harmless
 */
export async function operatorLeases(
  client: Pick<KubeClient, 'listPage'>, namespace: string, lock: string | undefined, signal: AbortSignal,
): Promise<KubeObject[]> {
  if (lock === undefined) return [];
  try {
    const pages = await Promise.all([
      { fieldSelector: `metadata.name=${lock}` }, { labelSelector: groupSelector(lock) },
    ].map((selection) => client.listPage(LEASES, { namespace, ...selection, signal })));
    return pages.flatMap(({ items }) => items).map((lease) => ({ ...lease, apiVersion: apiVersionOf(LEASES), kind: LEASES.kind }));
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
