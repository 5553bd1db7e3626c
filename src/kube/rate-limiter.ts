import type { Clock, Timer } from './clock';

/**
 * A token bucket: on average `qps` calls a second, with bursts of up to `burst`. Those who wait are served in order.
 */
export class RateLimiter {
  private tokens: number;
  private filledAt: number;
  /** Begins each of those who wait, in order. */
  private readonly waiting = new Set<() => void>();
  /** For the next token; set if and only if somebody waits. */
  private timer: Timer;

  /**
   * @param qps calls a second; 0 turns the limit off
   * @param burst calls at once after a quiet time
   */
  constructor(private readonly qps: number, private readonly burst: number, private readonly clock: Clock) {
    this.tokens = burst;
    this.filledAt = clock.monotonic();
  }

  /** Milliseconds that a turn would take to come that is asked for now; less if those before it leave. */
  get wait(): number {
    if (this.qps <= 0) return 0;
    this.fill();
    return Math.max(0, (this.waiting.size + 1 - this.tokens) / this.qps * 1_000);
  }

  /**
   * Takes a turn.
   *
   * @returns nothing if it has come already, which is the rule; else a promise of it, which rejects with the signal's reason once the signal is aborted: those
   *   behind it then move up
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
    // Those who wait have theirs besides: a timer that is late takes nothing from them. And with less than one token nobody could ever begin.
    this.tokens = Math.min(Math.max(1, this.burst) + this.waiting.size, this.tokens + (now - this.filledAt) * this.qps / 1_000);
    this.filledAt = now;
  }

  /** The next token comes at the same time, whoever gets it. */
  private schedule(): void {
    if (this.waiting.size === 0) {
      this.clock.clearTimeout(this.timer);
      this.timer = undefined;
    } else {
      // In whole milliseconds, as timers are: what is left of a token by rounding would need another timer.
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
