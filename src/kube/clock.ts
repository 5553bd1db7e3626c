/** A pending timer; its form depends on the clock. */
export type Timer = unknown;

/** Time as a dependency, so that tests control it. */
export interface Clock {
  /** Milliseconds since the epoch, for timestamps. Jumps when the machine's clock is corrected. */
  now(): number;

  /**
   * Milliseconds since some fixed moment, for durations. Never decreases, and does not advance
   * while a virtual machine is suspended.
   */
  monotonic(): number;

  /**
   * Calls `callback` once, after `ms` milliseconds.
   *
   * @param ms at most `MAX_TIMEOUT`; longer delays are reduced to it
   */
  setTimeout(callback: () => void, ms: number): Timer;

  /** Cancels a timer. Ignores `undefined` and a timer that has fired. */
  clearTimeout(timer: Timer): void;
}

/** A number in [0, 1), like `Math.random`. */
export type Random = () => number;

/**
 * Longest timeout that Node.js supports: 24.8 days in milliseconds. It fires a longer one at once.
 */
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
