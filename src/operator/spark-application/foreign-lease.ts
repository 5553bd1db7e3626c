import { holderOf, validFor, type Lease } from '../kube/lease';

/** The last change of a Lease that was seen. */
export interface LeaseChange {
  /** Holder and time of renewal, to be compared only. */
  readonly value: string;
  /** When it was first seen, by our own clock. */
  readonly at: number;
  /** Whether it was seen to change, and not only to be there. */
  readonly renewed: boolean;
}

/**
 * `live`: somebody renews it; `dead`: nobody does, or it was released; `unknown`: it has not been looked at for long enough.
 * A Lease that is `unknown` is to be taken for live by those who cannot wait.
 */
export type LeaseVerdict = 'live' | 'dead' | 'unknown';

/** kubeflow's duration, where a Lease says none, in milliseconds. */
const DEFAULT_DURATION = 15_000;

/**
 * Whether a Lease that is not ours is held by somebody who lives. The times in it are compared with each other only: the clock of its holder may
 * be wrong (as in client-go's leader election).
 *
 * @param observed what the last call returned; undefined at the first look
 * @param now milliseconds by a monotonic clock
 */
export function judgeForeignLease(
  lease: Lease | undefined, observed: LeaseChange | undefined, now: number,
): { readonly verdict: LeaseVerdict; readonly observed: LeaseChange | undefined } {
  const holder = lease && holderOf(lease);
  if (!holder) return { verdict: 'dead', observed: undefined };
  const value = `${holder} ${lease.spec?.renewTime ?? ''}`;
  const isChange = observed === undefined || observed.value !== value;
  const change: LeaseChange = isChange ? { value, at: now, renewed: observed !== undefined } : observed;
  if (now - change.at > validFor(lease, DEFAULT_DURATION)) return { verdict: 'dead', observed: change };
  return { verdict: change.renewed ? 'live' : 'unknown', observed: change };
}

/** The names of the Leases with which kubeflow's operator elects a leader: by its manifests and chart, and by default. */
export const KUBEFLOW_LEASES: readonly string[] = ['spark-operator-controller-lock', 'spark-operator-lock'];
