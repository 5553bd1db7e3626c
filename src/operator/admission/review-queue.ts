import { setImmediate as nextIteration } from 'node:timers/promises';
import { FairSemaphore } from '../../kube/fair-semaphore';
import { MAX_WAITING_OF_ADDRESS } from './limits';
import { NotAReview } from './parse';

/**
 * Admits one review in each iteration of the event loop. Everything else gets its share between two
 * reviews: the Lease is renewed, connections are read and probes are answered, whatever the load.
 *
 * Addresses take turns, and the reviews of one address keep their order: a flooding client only
 * delays itself.
 */
export class ReviewQueue {
  private readonly semaphore: FairSemaphore;

  /** @param waiting maximum number of waiting reviews of one address */
  constructor(waiting = MAX_WAITING_OF_ADDRESS) {
    this.semaphore = new FairSemaphore({ limit: 1, waiting, refusal: () => new NotAReview('there are too many reviews at once', 503) });
  }

  /**
   * Waits for a turn, which lasts until the caller awaits something.
   *
   * @param address the client's
   * @param signal ends the wait
   * @param isLate whether the turn comes too late; called at that moment, because timers are late
   * in a busy process
   * @throws the signal's reason; `late` if it is too late; NotAReview if too many reviews of this
   * address wait
   */
  async next(address: string, signal: AbortSignal, isLate: () => boolean, late: () => Error): Promise<void> {
    const leave = await this.semaphore.enter(address, signal);
    await nextIteration();
    // Before the work: the next review waits for an iteration of its own.
    leave();
    signal.throwIfAborted();
    if (isLate()) throw late();
  }
}
