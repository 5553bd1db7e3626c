import { FairQueue } from '../../kube/fair-queue';
import { MAX_WAITING_OF_ADDRESS } from './limits';
import { NotAReview } from './parse';

/** A review that waits for its turn. */
interface Waiting {
  readonly isLate: () => boolean;
  readonly end: (isInTime: boolean) => void;
}

/**
 * Gives turns to work that keeps the process busy, one at a time. Everything else gets its share
 * between two turns: the Lease is renewed, connections are read and probes are answered, however
 * much there is to do.
 *
 * Addresses take turns, and the reviews of one address keep their order: a flooding client only
 * delays itself.
 */
export class ReviewQueue {
  /** By address. */
  private readonly waiting = new FairQueue<Waiting>();
  private isScheduled = false;

  /** @param ofAddress most reviews of one address that wait */
  constructor(private readonly ofAddress = MAX_WAITING_OF_ADDRESS) {}

  /**
   * Resolves when the turn has come; it lasts until the caller awaits something.
   *
   * @param address the client's
   * @param signal ends the waiting
   * @param isLate whether the turn has come too late to be of use: called when it comes, as timers
   * are late in a busy process
   * @throws the signal's reason; `late` if it is too late; NotAReview if too many of this address
   * wait already
   */
  next(address: string, signal: AbortSignal, isLate: () => boolean, late: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.waiting.sizeOf(address) >= this.ofAddress) throw new NotAReview('there are too many reviews at once', 503);
      const leave = () => {
        this.waiting.delete(address, waiting);
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
      this.waiting.push(address, waiting);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.giveOne();
      if (this.waiting.size > 0) this.schedule();
    });
  }

  /** Late reviews take no turn. */
  private giveOne(): void {
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      const isInTime = !next.isLate();
      next.end(isInTime);
      if (isInTime) return;
    }
  }
}
