import type { LeaderElectionConfiguration } from '../flags/configuration';
import type { ControlledKind } from './controlled-kind';
import type { Clock, Timer } from '../kube/clock';
import { NotLeaderError } from '../kube/leader-election';
import type { Term } from './leadership';

/** Settings of `Terms`. Times are in milliseconds. */
export interface TermsOptions {
  /** What there is work on. */
  readonly kinds: readonly Pick<ControlledKind, 'beginTerm' | 'endTerm' | 'abandonTerm'>[];
  /** For what is under way when a term ends in order. */
  readonly grace: number;
  /** For work that is broken off: less than until another process leads. */
  readonly lostGrace: number;
  /** Called when work that was broken off has not ended by then: it could go on beside that of the next leader. */
  readonly onStuck: () => void;
  readonly clock: Clock;
}

/** The share of the time from the loss of a Lease to the next leader that work may take to end; the rest is for a process that is slow to exit. */
const LOST_SHARE = 0.8;

/** Milliseconds that the work may take to end when it is broken off: always less than until another process leads, however short Leases are. */
export function graceWhenLost({ leaseDuration, renewDeadline }: Pick<LeaderElectionConfiguration, 'leaseDuration' | 'renewDeadline'>): number {
  return (leaseDuration - renewDeadline) * LOST_SHARE;
}

/** The terms in which this process works. */
export class Terms {
  /** Those that have not been told to end. */
  private readonly going = new Set<Term>();

  constructor(private readonly options: TermsOptions) {}

  /** Whether this process works. */
  get isAtWork(): boolean {
    return this.going.size > 0;
  }

  /**
   * Works, until the term ends and its work has ended; see `LeadershipOptions.lead`.
   *
   * @throws NotLeaderError if the work was broken off, as the Lease is lost or the end took too long: what has been sent may still be under way, so that nobody is to have the Lease until it has run out
   */
  async work(term: Term): Promise<void> {
    const { kinds } = this.options;
    this.going.add(term);
    for (const kind of kinds) kind.beginTerm(term);
    await aborted(term.signal);
    this.going.delete(term);
    if (!term.lost.aborted && await Promise.race([this.end(term), aborted(term.lost)])) return;
    await this.breakOff(term);
    throw new NotLeaderError();
  }

  private async end(term: Term): Promise<boolean> {
    const { kinds, grace } = this.options;
    return (await Promise.all(kinds.map((kind) => kind.endTerm(term, grace)))).every(Boolean);
  }

  private async breakOff(term: Term): Promise<void> {
    const { kinds, lostGrace, onStuck, clock } = this.options;
    const timer: Timer = clock.setTimeout(onStuck, lostGrace);
    await Promise.all(kinds.map((kind) => kind.abandonTerm(term)));
    clock.clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
