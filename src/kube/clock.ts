/** A pending timer; what it is depends on the clock. */
export type Timer = unknown;

/**
 * Time as an argument, so that tests hold it.
 */
export interface Clock {
  /** Milliseconds since the epoch: for time stamps. May jump when the machine's clock is corrected. */
  now(): number;

  /** Milliseconds since some fixed moment, never going back: for durations. Stands still while a virtual machine is suspended. */
  monotonic(): number;

  /**
   * Calls `callback` once, after `ms` milliseconds.
   *
   * @param ms longer waits than `MAX_TIMEOUT` are cut to it
   */
  setTimeout(callback: () => void, ms: number): Timer;

  /** Cancels a timer; one that has fired, or `undefined`, is ignored. */
  clearTimeout(timer: Timer): void;
}

/** A number in [0, 1), like `Math.random`. */
export type Random = () => number;

/** The longest timeout that Node.js supports, 24.8 days in milliseconds; it fires a longer one at once. */
export const MAX_TIMEOUT = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, Math.min(ms, MAX_TIMEOUT)),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/**
 * Waits.
 *
 * @param ms milliseconds
 * @throws the signal's reason, once the signal is aborted
 */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      clock.clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
