/** Who waits for his turn. */
interface Waiting {
  readonly signal: AbortSignal;
  readonly isLate: () => boolean;
  readonly begin: () => void;
  readonly end: (reason: unknown) => void;
}

/**
 * Gives turns for work that keeps the process busy, one at a time and in order. Between two of them everything else gets its share: the Lease is renewed, connections are
 * read, and probes are answered, however much there is to do.
 */
export class Turns {
  private readonly waiting: Waiting[] = [];
  private isScheduled = false;

  /**
   * Resolves when the turn has come; it lasts until the caller awaits something.
   *
   * @param signal ends the waiting
   * @param isLate whether the turn has come too late to be of use: asked when it comes, as timers are late in a process that is busy
   * @throws the signal's reason; `late` if it is too late
   */
  next(signal: AbortSignal, isLate: () => boolean, late: () => Error): Promise<void> {
    return new Promise((begin, end) => {
      this.waiting.push({ signal, isLate, begin, end: (reason) => end(reason ?? late()) });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.giveOne();
      if (this.waiting.length > 0) this.schedule();
    });
  }

  /** Those who do not wait any more take no turn. */
  private giveOne(): void {
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      if (next.signal.aborted) next.end(next.signal.reason);
      else if (next.isLate()) next.end(undefined);
      else return next.begin();
    }
  }
}
