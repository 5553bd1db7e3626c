import { systemClock, type Clock, type Timer } from './clock';
import { FairQueue } from './fair-queue';

/** Limits of a semaphore. */
export interface FairSemaphoreOptions {
  /** Callers inside, of all keys. @default - unlimited */
  readonly limit?: number;
  /** Callers inside, of one key. @default - unlimited */
  readonly limitPerKey?: number;
  /** Callers that can wait, of one key. @default - unlimited */
  readonly waiting?: number;
  /** The longest wait, in milliseconds. @default - unlimited */
  readonly maxWait?: number;
  /**
   * Makes the error of a caller beyond `waiting` or `maxWait`.
   * @default - an error that names the key
   */
  readonly refusal?: (key: string) => Error;
  /** @default systemClock */
  readonly clock?: Clock;
}

interface Waiter {
  readonly key: string;
  readonly enter: () => void;
}

/**
 * Admits a number of callers at a time. Keys, such as namespaces, users or addresses, take turns,
 * so that a flooding key only delays itself.
 */
export class FairSemaphore {
  private readonly inside = new Map<string, number>();
  private readonly queue = new FairQueue<Waiter>();
  private count = 0;

  constructor(private readonly options: FairSemaphoreOptions) {}

  /**
   * Does something as soon as there is a place.
   *
   * @param signal ends the wait
   * @throws as `enter`, and what `work` throws
   */
  async during<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(key, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Waits for a place.
   *
   * @param signal ends the wait
   * @returns a function that releases the place
   * @throws the refusal if too many of the key wait already, or the wait took too long
   * @throws the signal's reason
   */
  async enter(key: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.hasRoom(key) && this.queue.sizeOf(key) === 0) this.take(key);
    else await this.wait(key, signal);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.leave(key);
    };
  }

  private wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const { waiting = Infinity, maxWait, clock = systemClock, refusal = tooMany } = this.options;
    if (this.queue.sizeOf(key) >= waiting) throw refusal(key);
    return new Promise((resolve, reject) => {
      let timer: Timer = undefined;
      const end = () => {
        clock.clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const giveUp = (error: Error) => {
        this.queue.delete(key, waiter);
        end();
        reject(error);
      };
      const abort = () => giveUp(signal!.reason as Error);
      const waiter: Waiter = {
        key,
        enter: () => {
          end();
          resolve();
        },
      };
      if (maxWait !== undefined) timer = clock.setTimeout(() => giveUp(refusal(key)), maxWait);
      signal?.addEventListener('abort', abort, { once: true });
      this.queue.push(key, waiter);
    });
  }

  private hasRoom(key: string): boolean {
    const { limit = Infinity, limitPerKey = Infinity } = this.options;
    return this.count < limit && (this.inside.get(key) ?? 0) < limitPerKey;
  }

  private take(key: string): void {
    this.count++;
    this.inside.set(key, (this.inside.get(key) ?? 0) + 1);
  }

  /** Gives the place directly to the next waiting caller; a later caller cannot take it. */
  private leave(key: string): void {
    this.count--;
    const left = this.inside.get(key)! - 1;
    if (left > 0) this.inside.set(key, left);
    else this.inside.delete(key);
    const next = this.queue.shift((waiting) => this.hasRoom(waiting));
    if (!next) return;
    this.take(next.key);
    next.enter();
  }
}

function tooMany(key: string): Error {
  return new Error(`too many callers of ${key} wait already; try again later`);
}
