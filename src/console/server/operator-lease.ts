import type { CheckOperator } from './operator-watch';
import type { OperatorPresence } from '../../model/operator-presence';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { isNotFound } from '../../kube/errors';
import { holderOf, LEASES, validFor, type Lease } from '../../kube/lease';
import { shortDuration } from '../../text/duration';

/** Default duration of a Lease, in milliseconds. */
const DURATION = 15_000;

/** Lease that elects the leader among the replicas of an operator. */
export interface OperatorLease {
  readonly namespace: string;
  readonly name: string;
}

/** Returns a check of the Lease of one operator. */
export function leaseCheck(client: Pick<KubeClient, 'get'>, lease: OperatorLease, clock: Pick<Clock, 'now'>): CheckOperator {
  return async (signal) => {
    try {
      return presenceOf(await client.get(LEASES, lease, { signal }), clock.now());
    } catch (error) {
      if (isNotFound(error)) return { isActive: false, evidence: `there is no Lease ${lease.namespace}/${lease.name}` };
      throw error;
    }
  };
}

/**
 * Returns whether a replica holds the Lease. As clocks can differ, it counts as expired after twice
 * its duration.
 */
export function presenceOf(lease: Lease, now: number): OperatorPresence {
  const title = `the Lease ${lease.metadata.namespace}/${lease.metadata.name}`;
  const age = now - Date.parse(lease.spec?.renewTime ?? '');
  if (holderOf(lease) === undefined) return { isActive: false, evidence: `no replica holds ${title}` };
  const evidence = `${title} was last renewed ${Number.isFinite(age) ? `${shortDuration(age)} ago` : 'at an unknown time'}`;
  return { isActive: age <= 2 * validFor(lease, DURATION), evidence };
}
