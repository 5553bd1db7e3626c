import type { Clock } from '../../../kube/clock';

/** Milliseconds to wait for the outcome of a probe until another application can probe. */
const PROBE_TIME = 10_000;

/** Milliseconds from the end of a failed probe to the next probe. */
const PROBE_PAUSE = 1_000;

/**
 * Milliseconds without an answer after which other submissions treat the webhook as away. This is a
 * little longer than the webhook's default timeout (`podTimeout`), so that the API server can
 * report the cause.
 */
export const ANSWER_TIME = 9_000;

/** Milliseconds after which a submission that finds no room is requeued. */
const LATER = 1_000;

/** Whether a submission can call the webhook now. */
export type Admittance =
  /** The submission can call it. */
  | { readonly kind: 'go' }
  /** The webhook is away, for this reason. */
  | { readonly kind: 'away'; readonly failure: string }
  /** Too many calls are under way: the submission is requeued after that many milliseconds. */
  | { readonly kind: 'later'; readonly after: number };

/**
 * Circuit breaker for calls of the operator's webhook. A webhook that does not answer delays each
 * caller by ten seconds. While it is away, one application probes at a time, and the others wait
 * without a call. The first success closes the circuit.
 */
export class CircuitBreaker {
  private away?: { readonly failure: string; readonly nextProbe: number };
  private underWay = 0;

  private readonly atOnce: number;

  /**
   * @param workers number of the operator's workers. At most half of them can wait for the webhook.
   * If it hangs, the other half serves applications that do not need it
   */
  constructor(private readonly clock: Pick<Clock, 'monotonic' | 'setTimeout' | 'clearTimeout'>, workers: number) {
    this.atOnce = Math.max(1, Math.floor(workers / 2));
  }

  /**
   * Returns the current admittance, also for a call that a worker waits for. Callers use it to
   * avoid work that would be in vain. It does not make other submissions wait.
   */
  admittance(): Admittance {
    const failure = this.away?.failure;
    if (this.underWay >= this.atOnce) return failure === undefined ? { kind: 'later', after: LATER } : { kind: 'away', failure };
    return this.outlook();
  }

  /**
   * Returns the admittance for an action that needs the webhook. The caller must report by `worked`
   * or `failed` if the action shows whether the webhook answers.
   */
  ask(): Admittance {
    const outlook = this.outlook();
    // In case the caller does not report how this probe ended.
    if (this.away && outlook.kind === 'go') this.away = { failure: this.away.failure, nextProbe: this.clock.monotonic() + PROBE_TIME };
    return outlook;
  }

  /**
   * Calls the webhook while a worker waits. Not all workers can wait at once. A call without an
   * answer for `ANSWER_TIME` continues, because another webhook might be slow. Other submissions do
   * not wait for its end.
   *
   * @param slow failure that other submissions report then
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
      // No caller has reported since the probe began: it does not show whether the webhook answers,
      // and the next probe need not wait any longer.
      if (probe && this.away === probe) this.failed(probe.failure);
    }
  }

  /** Records that the webhook has answered. */
  worked(): void {
    this.away = undefined;
  }

  /**
   * Records that the API server could not call the webhook.
   *
   * @param failure message for other submissions that wait; it must not mention the submitted
   * application
   */
  failed(failure: string): void {
    this.away = { failure, nextProbe: this.clock.monotonic() + PROBE_PAUSE };
  }

  private outlook(): Admittance {
    return this.away && this.clock.monotonic() < this.away.nextProbe ? { kind: 'away', failure: this.away.failure } : { kind: 'go' };
  }
}
