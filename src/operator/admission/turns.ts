import { MAX_WAITING_OF_ADDRESS } from './limits';
import { NotAReview } from './parse';

/** Who waits for his turn. */
interface Waiting {
  readonly isLate: () => boolean;
  readonly end: (isInTime: boolean) => void;
}

/**
 * Gives turns for work that keeps the process busy, one at a time. Between two of them everything else gets its share: the Lease is renewed, connections are
 * read, and probes are answered, however much there is to do.
 *
 * Addresses have turns in rotation, and those of one address in order: who floods the webhook waits for himself, and all others only for one turn of his in between.
 */
export class Turns {
  /** Of the addresses of which somebody waits, and none else; the first is next. */
  private readonly queues = new Map<string, Set<Waiting>>();
  private isScheduled = false;

  /** @param ofAddress how many of one address may wait */
  constructor(private readonly ofAddress = MAX_WAITING_OF_ADDRESS) {}

  /**
   * Resolves when the turn has come; it lasts until the caller awaits something.
   *
   * @param address of who asks
   * @param signal ends the waiting
   * @param isLate whether the turn has come too late to be of use: asked when it comes, as timers are late in a process that is busy
   * @throws the signal's reason; `late` if it is too late; NotAReview if too many of this address wait already
   */
  next(address: string, signal: AbortSignal, isLate: () => boolean, late: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const queue = this.queues.get(address) ?? new Set();
      if (queue.size >= this.ofAddress) throw new NotAReview('there are too many reviews at once', 503);
      const leave = () => {
        queue.delete(waiting);
        if (queue.size === 0) this.queues.delete(address);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        isLate,
        end(isInTime) {
          signal.removeEventListener('abort', leave);
          if (isInTime) resolve();
          else reject(late());
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.queues.set(address, queue.add(waiting));
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.giveOne();
      if (this.queues.size > 0) this.schedule();
    });
  }

  /** Those who are late take no turn. */
  private giveOne(): void {
    // What is put back is come to again in the end.
    for (const [address, queue] of this.queues) {
      const next: Waiting = queue.values().next().value!;
      queue.delete(next);
      this.queues.delete(address);
      if (queue.size > 0) this.queues.set(address, queue);
      const isInTime = !next.isLate();
      next.end(isInTime);
      if (isInTime) return;
    }
  }
}
