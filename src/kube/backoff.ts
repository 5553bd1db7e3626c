import type { Random } from './clock';

/**
 * The wait after a number of failures in a row: exponential from `base` up to `max`, of which a random half is left
 * out so that many clients do not come back at the same moment.
 *
 * @param failures how many before this one; 0 for the first failure
 * @param base milliseconds
 * @param max milliseconds
 * @returns milliseconds, from half the exponential value up to all of it
 */
export function backoff(failures: number, base: number, max: number, random: Random): number {
  // 2 ** 1024 is Infinity, which Math.min copes with.
  const full = Math.min(max, base * 2 ** failures);
  return full * (1 - random() / 2);
}
