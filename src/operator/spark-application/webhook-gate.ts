import type { Clock } from '../../kube/clock';

/** How long a probe may take of which nothing is heard until another application may probe, in milliseconds. */
const PROBE_TIME = 10_000;

/** From the end of a probe that has not found the webhook to be back to the next one, in milliseconds. */
const PROBE_PAUSE = 1_000;

/**
 * Milliseconds without an answer after which the webhook counts as away for the others. A little more than the API server gives it by default (`podTimeout`), so that the API server can say
 * what went wrong.
 */
export const ANSWER_TIME = 9_000;

/** When those are asked to come back for whom there is no room, in milliseconds. */
const LATER = 1_000;

/** What becomes of a submission that needs the webhook. */
export type Admittance =
  /** It may be made. */
  | { readonly kind: 'go' }
  /** The webhook is away, for this reason. */
  | { readonly kind: 'away'; readonly failure: string }
  /** Too many are under way: it is to come back after so many milliseconds. */
  | { readonly kind: 'later'; readonly after: number };

/**
 * Remembers that the operator's webhook cannot be called. One that does not answer takes ten seconds of each who asks: while it is away one application probes
 * at a time, and the others wait without a call. The first success ends that.
 */
export class CircuitBreaker {
  private away?: { readonly failure: string; readonly nextProbe: number };
  private underWay = 0;

  private readonly atOnce: number;

  /** @param workers of the operator. Half of them may wait for the webhook: should it hang, the other half is there for what does not need it */
  constructor(private readonly clock: Pick<Clock, 'monotonic' | 'setTimeout' | 'clearTimeout'>, workers: number) {
    this.atOnce = Math.max(1, Math.floor(workers / 2));
  }

  /** What would be said now, also to a call that a worker waits for: before work that is in vain if that cannot follow. Nobody else is kept waiting by it. */
  admittance(): Admittance {
    const failure = this.away?.failure;
    if (this.underWay >= this.atOnce) return failure === undefined ? { kind: 'later', after: LATER } : { kind: 'away', failure };
    return this.outlook();
  }

  /** Asks before something is done that needs the webhook. What may be done has to be told of, by `worked` or `failed`, if it says something of the webhook. */
  ask(): Admittance {
    const outlook = this.outlook();
    // Should nobody tell how this one has ended.
    if (this.away && outlook.kind === 'go') this.away = { failure: this.away.failure, nextProbe: this.clock.monotonic() + PROBE_TIME };
    return outlook;
  }

  /**
   * The same for a call that a worker waits for; of these not all may wait at once. One without an answer for `ANSWER_TIME` goes on, as it may be another webhook that takes long; the others
   * do not wait for its end.
   *
   * @param slow what the others are told then
   */
  async during<T>(work: () => Promise<T>, slow: string): Promise<T | Exclude<Admittance, { kind: 'go' }>> {
    const admittance = this.admittance();
    if (admittance.kind !== 'go') return admittance;
    this.ask();
    const probe = this.away;
    this.underWay++;
    const timer = this.clock.setTimeout(() => this.failed(slow), ANSWER_TIME);
    try {
      return await work();
    } finally {
      this.clock.clearTimeout(timer);
      this.underWay--;
      // Nobody has said anything since it began: it says nothing of the webhook, and the next one need not wait any longer.
      if (probe && this.away === probe) this.failed(probe.failure);
    }
  }

  /** The webhook was called, and has answered. */
  worked(): void {
    this.away = undefined;
  }

  /**
   * The webhook could not be called.
   *
   * @param failure what others are told who wait for it: nothing of the application that was submitted
   */
  failed(failure: string): void {
    this.away = { failure, nextProbe: this.clock.monotonic() + PROBE_PAUSE };
  }

  private outlook(): Admittance {
    return this.away && this.clock.monotonic() < this.away.nextProbe ? { kind: 'away', failure: this.away.failure } : { kind: 'go' };
  }
}
