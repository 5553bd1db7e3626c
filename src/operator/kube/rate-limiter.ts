import { type Clock, sleep } from './clock';

/**
 * A token bucket: on average `qps` calls a second, with bursts of up to `burst`. Those who wait are served in order.
 */
export class RateLimiter {
  private tokens: number;
  private filledAt: number;

  /**
   * @param qps calls a second; 0 turns the limit off
   * @param burst calls at once after a quiet time
   */
  constructor(private readonly qps: number, private readonly burst: number, private readonly clock: Clock) {
    this.tokens = burst;
    this.filledAt = clock.monotonic();
  }

  /**
   * Takes a turn.
   *
   * @returns nothing if it has come already, which is the rule; else a promise of it, which rejects with the signal's reason once the signal is aborted
   */
  take(signal?: AbortSignal): Promise<void> | undefined {
    if (this.qps <= 0) return undefined;
    const now = this.clock.monotonic();
    this.tokens = Math.min(this.burst, this.tokens + (now - this.filledAt) * this.qps / 1_000);
    this.filledAt = now;
    this.tokens -= 1;
    if (this.tokens >= 0) return undefined;
    // A negative count is a queue: each in it has taken its token from the future.
    return sleep(this.clock, -this.tokens / this.qps * 1_000, signal).catch((aborted) => {
      this.tokens += 1;
      throw aborted;
    });
  }
}
