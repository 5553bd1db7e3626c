import { HttpError } from './http';
import type { Clock, Timer } from '../../kube/clock';

/** Limits of a semaphore. */
export interface FairSemaphoreOptions {
  /** Callers inside, of all keys. @default - unlimited */
  readonly atOnce?: number;
  /** Callers inside, of one key. */
  readonly ofKey: number;
  /** Callers that can wait, of one key. */
  readonly waiting: number;
  /** The longest wait, in milliseconds. */
  readonly maxWait: number;
  readonly clock: Clock;
}

interface Waiter {
  readonly enter: () => void;
}

/** Seconds after which a refused client should try again. */
const RETRY_AFTER = 1;

/**
 * Admits a number of callers at a time. Keys, such as users or addresses, take turns, so that a
 * flooding client only delays itself. Each wait has an end.
 */
export class FairSemaphore {
  private readonly inside = new Map<string, number>();
  /** The waiters of each key that has some; the first key is next. */
  private readonly queues = new Map<string, Set<Waiter>>();
  private count = 0;

  constructor(private readonly options: FairSemaphoreOptions) {}

  /**
   * Waits for a place.
   *
   * @param signal ends the wait
   * @returns a function that releases the place
   * @throws {HttpError} 503 if too many of the key wait already, or the wait took too long
   * @throws the signal's reason
   */
  async enter(key: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.hasRoom(key) && !this.queues.has(key)) this.take(key);
    else await this.wait(key, signal);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.leave(key);
    };
  }

  private wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const { waiting, maxWait, clock } = this.options;
    const queue = this.queues.get(key) ?? new Set();
    if (queue.size >= waiting) throw tooMany();
    return new Promise((resolve, reject) => {
      let timer: Timer = undefined;
      const leave = (error: Error) => {
        queue.delete(waiter);
        if (queue.size === 0) this.queues.delete(key);
        end();
        reject(error);
      };
      const abort = () => leave(signal!.reason as Error);
      const end = () => {
        clock.clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        enter: () => {
          end();
          resolve();
        },
      };
      timer = clock.setTimeout(() => leave(tooMany()), maxWait);
      signal?.addEventListener('abort', abort, { once: true });
      this.queues.set(key, queue.add(waiter));
    });
  }

  private hasRoom(key: string): boolean {
    const { atOnce = Infinity, ofKey } = this.options;
    return this.count < atOnce && (this.inside.get(key) ?? 0) < ofKey;
  }

  private take(key: string): void {
    this.count++;
    this.inside.set(key, (this.inside.get(key) ?? 0) + 1);
  }

  private leave(key: string): void {
    this.count--;
    const left = this.inside.get(key)! - 1;
    if (left > 0) this.inside.set(key, left);
    else this.inside.delete(key);
    for (const [next, queue] of this.queues) {
      if (!this.hasRoom(next)) continue;
      const [waiter] = queue;
      queue.delete(waiter!);
      this.queues.delete(next);
      // Behind all others.
      if (queue.size > 0) this.queues.set(next, queue);
      this.take(next);
      waiter!.enter();
      return;
    }
  }
}

function tooMany(): HttpError {
  return new HttpError(503, `the console has too much to do; try again in ${RETRY_AFTER} s`, { 'retry-after': String(RETRY_AFTER) });
}
