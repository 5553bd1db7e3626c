import type { Clock, Timer } from './clock';

/**
 * The end that is set to a call: when time is over, or when a signal is aborted, whichever is first.
 *
 * No `AbortSignal`: one for each call, with its listeners, costs more than all the rest of it. `AbortSignal.any` and
 * `AbortSignal.timeout` also do not let a test hold the time.
 */
export class Deadline {
  private timer: Timer;
  private listener?: (reason: unknown) => void;
  private end?: { readonly reason: unknown };

  /** @param parent a signal that, once aborted, ends this for the same reason */
  constructor(private readonly clock: Clock, private readonly parent?: AbortSignal) {
    if (parent?.aborted) {
      this.end = { reason: parent.reason };
    } else {
      parent?.addEventListener('abort', this.onParentAbort, { once: true });
    }
  }

  /** Whether the end has come. */
  get aborted(): boolean {
    return this.end !== undefined;
  }

  /** Why: the error made for the timeout, or the parent's reason. */
  get reason(): unknown {
    return this.end?.reason;
  }

  /** @throws the reason, once the end has come */
  throwIfAborted(): void {
    if (this.end) throw this.end.reason;
  }

  /** Calls the listener once when the end comes, in the place of the one before; at once if it has come. */
  onAbort(listener: (reason: unknown) => void): void {
    if (this.end) {
      listener(this.end.reason);
    } else {
      this.listener = listener;
    }
  }

  /**
   * Starts the time, again if it was running.
   *
   * @param ms milliseconds from now
   * @param onTimeout makes the error that is the reason
   */
  set(ms: number, onTimeout: () => Error): void {
    this.clock.clearTimeout(this.timer);
    this.timer = this.clock.setTimeout(() => this.abort(onTimeout()), ms);
  }

  /** Forgets the time, the parent and the listener. Must be called in the end, or a long-lived parent keeps this object. */
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
