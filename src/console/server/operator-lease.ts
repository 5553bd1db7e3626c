import type { CheckOperator } from './operator-watch';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { isNotFound } from '../../kube/errors';
import { LEASES } from '../../kube/lease';
import { presenceBy } from '../../model/operator-presence';

/** Lease that elects the leader among the replicas of an operator. */
export interface OperatorLease {
  readonly namespace: string;
  readonly name: string;
}

/** Returns a check of the Lease of one operator. */
export function leaseCheck(client: Pick<KubeClient, 'get'>, lease: OperatorLease, clock: Pick<Clock, 'now'>): CheckOperator {
  return async (signal) => {
    try {
      return presenceBy(await client.get(LEASES, lease, { signal }), clock.now());
    } catch (error) {
      if (isNotFound(error)) return { isActive: false, evidence: `there is no Lease ${lease.namespace}/${lease.name}` };
      throw error;
    }
  };
}
