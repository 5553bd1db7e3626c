import type { Clock } from '../kube/clock';

/** How long a probe may take until another application may probe, in milliseconds. */
const PROBE_TIME = 10_000;

/** From a probe that has failed to the next one, in milliseconds. */
const PROBE_PAUSE = 1_000;

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
export class WebhookGate {
  private away?: { readonly failure: string; readonly nextProbe: number };
  private underWay = 0;

  private readonly atOnce: number;

  /** @param workers of the operator. Half of them may wait for the webhook: should it hang, the other half is there for what does not need it */
  constructor(private readonly clock: Pick<Clock, 'monotonic'>, workers: number) {
    this.atOnce = Math.max(1, Math.floor(workers / 2));
  }

  /** Asks before something is done that needs the webhook. What may be done has to be told of, by `worked` or `failed`, if it says something of the webhook. */
  ask(): Admittance {
    if (!this.away) return { kind: 'go' };
    const { failure, nextProbe } = this.away;
    const now = this.clock.monotonic();
    if (now < nextProbe) return { kind: 'away', failure };
    // Should nobody tell how this one has ended.
    this.away = { failure, nextProbe: now + PROBE_TIME };
    return { kind: 'go' };
  }

  /** The same for a call that a worker waits for; of these not all may wait at once. */
  async during<T>(work: () => Promise<T>): Promise<T | Exclude<Admittance, { kind: 'go' }>> {
    if (this.underWay >= this.atOnce) return this.away ? { kind: 'away', failure: this.away.failure } : { kind: 'later', after: LATER };
    const admittance = this.ask();
    if (admittance.kind !== 'go') return admittance;
    this.underWay++;
    try {
      return await work();
    } finally {
      this.underWay--;
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
}
