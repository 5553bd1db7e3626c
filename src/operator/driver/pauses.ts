/** The pauses between tries to create a driver: they grow with the time that was waited already. */
const [MIN_PAUSE, MAX_PAUSE] = [1_000, 30_000];

/** Milliseconds until what could not be created is tried again: they grow with what was waited already. */
export function pauseAfter(waited: number, limit: number = MAX_PAUSE): number {
  return Math.min(Math.max(waited / 4, MIN_PAUSE), limit);
}

/** The least of some waits; undefined if there is none. */
export function leastOf(...waits: readonly (number | undefined)[]): number | undefined {
  const least = Math.min(...waits.filter((wait) => wait !== undefined));
  return least === Infinity ? undefined : least;
}
