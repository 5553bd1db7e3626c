import type { Clock, Timer } from './clock';

/**
 * A limit for a call: it expires when its time is over or a signal is aborted, whichever is first.
 *
 * An `AbortSignal` for each call, with its listeners, would cost more than the rest of the call.
 * Also, tests cannot control the time of `AbortSignal.any` and `AbortSignal.timeout`.
 */
export class Deadline {
  private timer: Timer;
  private listener?: (reason: unknown) => void;
  private end?: { readonly reason: unknown };

  /** @param parent a signal that aborts this deadline with the same reason */
  constructor(private readonly clock: Clock, private readonly parent?: AbortSignal) {
    if (parent?.aborted) {
      this.end = { reason: parent.reason };
    } else {
      parent?.addEventListener('abort', this.onParentAbort, { once: true });
    }
  }

  /** Whether the deadline has expired or its parent is aborted. */
  get aborted(): boolean {
    return this.end !== undefined;
  }

  /** The error made for the timeout, or the parent's reason. */
  get reason(): unknown {
    return this.end?.reason;
  }

  /** @throws the reason, if it is aborted */
  throwIfAborted(): void {
    if (this.end) throw this.end.reason;
  }

  /**
   * Calls the listener once when this is aborted, at once if it is already. Replaces a previous
   * listener.
   */
  onAbort(listener: (reason: unknown) => void): void {
    if (this.end) {
      listener(this.end.reason);
    } else {
      this.listener = listener;
    }
  }

  /**
   * Starts or restarts the timer.
   *
   * @param ms milliseconds from now
   * @param onTimeout makes the error that becomes the reason
   */
  set(ms: number, onTimeout: () => Error): void {
    this.clock.clearTimeout(this.timer);
    this.timer = this.clock.setTimeout(() => this.abort(onTimeout()), ms);
  }

  /**
   * Removes the timer, the parent and the listener. Callers must call it at the end, or a
   * long-lived parent keeps this object in memory.
   */
  clear(): void {
    this.clock.clearTimeout(this.timer);
    this.parent?.removeEventListener('abort', this.onParentAbort);
    this.listener = undefined;
  }

  private abort(reason: unknown): void {
    if (this.end) return;
    this.end = { reason };
    const { listener } = this;
    this.listener = undefined;
    listener?.(reason);
  }

  private readonly onParentAbort = () => this.abort(this.parent!.reason);
}
