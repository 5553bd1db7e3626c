import type { LeaderElectionConfiguration } from '../../flags/configuration';
import type { Clock } from '../../kube/clock';
import { NotLeaderError } from '../../kube/leader-election';
import type { KindController } from './kind-controller';
import type { Term } from './leadership';

/** Settings of `leadKinds`. Times are in milliseconds. */
export interface LeadSettings {
  /** Time for reconciles in progress when a term ends in order. */
  readonly grace: number;
  /** Time for aborted work: less than until another process leads. */
  readonly lostGrace: number;
  /**
   * Called if aborted work has not ended by then: it could run together with that of the next
   * leader.
   */
  readonly onStuck: () => void;
  readonly clock: Clock;
}

/**
 * Share of the time from the loss of a Lease to the next leader that work can take to end. The rest
 * is for a process that is slow to exit.
 */
const LOST_SHARE = 0.8;

/**
 * Returns the milliseconds for aborted work: always less than until another process leads, however
 * short Leases are.
 */
export function graceWhenLost(
  { leaseDuration, renewDeadline }: Pick<LeaderElectionConfiguration, 'leaseDuration' | 'renewDeadline'>,
): number {
  return (leaseDuration - renewDeadline) * LOST_SHARE;
}

/**
 * Reconciles all kinds until the term ends and its work has ended.
 *
 * @throws NotLeaderError if the work was aborted, as the Lease is lost or the end took too long. A
 * write could still be in progress, so the Lease must expire before another process has it
 */
export async function leadKinds(
  kinds: readonly Pick<KindController, 'beginTerm' | 'endTerm' | 'abandonTerm'>[],
  { signal, lost }: Term,
  { grace, lostGrace, onStuck, clock }: LeadSettings,
): Promise<void> {
  for (const kind of kinds) kind.beginTerm();
  await aborted(signal);
  if (!lost.aborted) {
    const end = Promise.all(kinds.map((kind) => kind.endTerm(grace)));
    if (await Promise.race([end.then((inTime) => inTime.every(Boolean)), aborted(lost)])) return;
  }
  const timer = clock.setTimeout(onStuck, lostGrace);
  await Promise.all(kinds.map((kind) => kind.abandonTerm()));
  clock.clearTimeout(timer);
  throw new NotLeaderError();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
