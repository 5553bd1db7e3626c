import type { RunTimes } from './expression';

/** Runs that are counted one by one; of more it is only known that there are more. */
const MAX_COUNTED = 20;

/** Runs of cron have at least this distance, in milliseconds. */
const MINUTE = 60_000;

/**
 * The times at which runs are due.
 * @internal
 */
export interface DueRuns {
  /** The latest of them, in milliseconds since the epoch, the oldest first. */
  readonly latest: readonly number[];
  /** How many there are before these. */
  readonly earlier: number;
  /** There are more before them than `earlier` says. */
  readonly isMore: boolean;
}

/**
 * The runs from a first one, which is a run whatever the schedule says, up to an instant, that instant included. However many they are, it takes milliseconds: after a
 * long absence most of them are jumped over.
 *
 * @param first in milliseconds since the epoch, as `until`, which must not be before it
 * @param limit how many of them are wanted, at least one
 * @internal
 */
export function dueRuns(times: RunTimes, first: number, until: number, limit: number): DueRuns {
  return times.interval === undefined ? byClocks(times, first, until, limit) : byInterval(times.interval, first, until, limit);
}

function byInterval(interval: number, first: number, until: number, limit: number): DueRuns {
  const begin = Math.floor(first / 1000) * 1000;
  const count = Math.floor((until - begin) / interval) + 1;
  const kept = Math.min(count, limit);
  const latest = Array.from({ length: kept }, (_, index) => begin + (count - kept + index) * interval);
  return { latest, earlier: count - kept, isMore: false };
}

function byClocks(times: RunTimes, first: number, until: number, limit: number): DueRuns {
  const all = [first, ...walk(times, first, until, MAX_COUNTED + limit)];
  if (all.length <= MAX_COUNTED + limit) return { latest: all.slice(-limit), earlier: Math.max(0, all.length - limit), isMore: false };
  // Back from the end in steps that grow, until there are enough; then between the last two of them, should there be far more.
  const most = 3 * limit;
  let [low, high] = [first, until];
  for (let step = limit * MINUTE; until - step > first; step *= 2) {
    low = until - step;
    if (walk(times, low, until, limit).length === limit) break;
    [low, high] = [first, low];
  }
  for (;;) {
    const found = walk(times, low, until, most + 1);
    if (found.length <= most) return { latest: found.slice(-limit), earlier: MAX_COUNTED, isMore: true };
    const middle = Math.floor((low + high) / 2);
    if (walk(times, middle, until, limit).length === limit) low = middle;
    else high = middle;
  }
}

/** The runs in (after, until], at most so many. */
function walk(times: RunTimes, after: number, until: number, most: number): number[] {
  const runs: number[] = [];
  for (let run = times.next(new Date(after)); run !== undefined && run.getTime() <= until && runs.length < most; run = times.next(run)) runs.push(run.getTime());
  return runs;
}
