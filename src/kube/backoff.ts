import type { Random } from './clock';

/**
 * Returns the delay after a number of consecutive failures: exponential from `base` up to `max`,
 * with jitter of up to half of it, so that many clients do not retry at the same moment.
 *
 * @param failures consecutive failures before this one; 0 for the first failure
 * @param base milliseconds
 * @param max milliseconds
 * @returns milliseconds, from half the exponential value up to all of it
 */
export function backoff(failures: number, base: number, max: number, random: Random): number {
  // `2 ** 1024` is Infinity; `Math.min` handles it.
  const full = Math.min(max, base * 2 ** failures);
  return full * (1 - random() / 2);
}
