import type { Clock, Timer } from './clock';

/**
 * A token bucket: on average `qps` calls per second, with bursts of up to `burst`. Waiting callers
 * are served in order.
 */
export class RateLimiter {
  private tokens: number;
  private filledAt: number;
  /** Functions that start the waiting callers, in order. */
  private readonly waiting = new Set<() => void>();
  /** Timer for the next token; set if and only if a caller waits. */
  private timer: Timer;

  /**
   * @param qps calls per second; 0 turns the limit off
   * @param burst calls at once after an idle period
   */
  constructor(private readonly qps: number, private readonly burst: number, private readonly clock: Clock) {
    this.tokens = burst;
    this.filledAt = clock.monotonic();
  }

  /** Milliseconds that a new caller would wait; fewer if previous ones leave. */
  get wait(): number {
    if (this.qps <= 0) return 0;
    this.fill();
    return Math.max(0, (this.waiting.size + 1 - this.tokens) / this.qps * 1_000);
  }

  /**
   * Takes a token.
   *
   * @returns undefined if one is available, which is usual; else a promise that resolves with the
   * next free one. It rejects with the signal's reason when the signal is aborted; later callers
   * then move up
   */
  take(signal?: AbortSignal): Promise<void> | undefined {
    if (this.qps <= 0) return undefined;
    this.fill();
    if (this.waiting.size === 0 && this.tokens >= 1) {
      this.tokens -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = () => {
        this.waiting.delete(begin);
        this.schedule();
        reject(signal!.reason as Error);
      };
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.waiting.add(begin);
      this.schedule();
    });
  }

  private fill(): void {
    const now = this.clock.monotonic();
    // Waiting callers can have more tokens than `burst`, so that a late timer loses none. With less
    // than one token no caller could ever start.
    this.tokens = Math.min(Math.max(1, this.burst) + this.waiting.size, this.tokens + (now - this.filledAt) * this.qps / 1_000);
    this.filledAt = now;
  }

  /** The time of the next token does not depend on the caller that gets it. */
  private schedule(): void {
    if (this.waiting.size === 0) {
      this.clock.clearTimeout(this.timer);
      this.timer = undefined;
    } else {
      // Whole milliseconds, as timers have: a fraction of a token left by rounding would need
      // another timer.
      this.timer ??= this.clock.setTimeout(() => this.serve(), Math.max(1, Math.ceil((1 - this.tokens) / this.qps * 1_000)));
    }
  }

  private serve(): void {
    this.timer = undefined;
    this.fill();
    for (const begin of this.waiting) {
      if (this.tokens < 1) break;
      this.tokens -= 1;
      this.waiting.delete(begin);
      begin();
    }
    this.schedule();
  }
}
