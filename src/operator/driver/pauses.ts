/** Minimum and maximum delay between two attempts to create a driver, in milliseconds. */
const [MIN_PAUSE, MAX_PAUSE] = [1_000, 30_000];

/**
 * Returns the milliseconds until the next attempt to create an object. They grow with the total
 * wait.
 */
export function pauseAfter(waited: number, limit: number = MAX_PAUSE): number {
  return Math.min(Math.max(waited / 4, MIN_PAUSE), limit);
}

/** Returns the minimum of waits; undefined if there is none. */
export function leastOf(...waits: readonly (number | undefined)[]): number | undefined {
  const least = Math.min(...waits.filter((wait) => wait !== undefined));
  return least === Infinity ? undefined : least;
}
