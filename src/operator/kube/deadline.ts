import type { Clock, Timer } from './clock';

/**
 * A signal that is aborted when time is over or when another signal is.
 *
 * `AbortSignal.any` and `AbortSignal.timeout` do not let a test hold the time.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private timer: Timer;

  /** @param parent a signal that, once aborted, aborts this one for the same reason */
  constructor(private readonly clock: Clock, private readonly parent?: AbortSignal) {
    if (parent?.aborted) this.onParentAbort();
    parent?.addEventListener('abort', this.onParentAbort, { once: true });
  }

  /** Aborted with the error made for the timeout, or with the parent's reason. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * Starts the time, again if it was running.
   *
   * @param ms milliseconds from now
   * @param onTimeout makes the error to abort with
   */
  set(ms: number, onTimeout: () => Error): void {
    this.clock.clearTimeout(this.timer);
    this.timer = this.clock.setTimeout(() => this.controller.abort(onTimeout()), ms);
  }

  /** Forgets the time and the parent. Must be called in the end, or a long-lived parent keeps this object. */
  clear(): void {
    this.clock.clearTimeout(this.timer);
    this.parent?.removeEventListener('abort', this.onParentAbort);
  }

  private readonly onParentAbort = () => this.controller.abort(this.parent!.reason);
}
