import type { RunTimes } from './expression';

/** Maximum number of earlier runs that are counted exactly. */
const MAX_COUNTED = 20;

/** Minimum milliseconds between two runs of a cron expression. */
const MINUTE = 60_000;

/** Times of due runs. @internal */
export interface DueRuns {
  /** Latest runs in milliseconds since the epoch, oldest first. */
  readonly latest: readonly number[];
  /** Number of runs before these. */
  readonly earlier: number;
  /** Whether there are more of them than `earlier`. */
  readonly isMore: boolean;
}

/**
 * Returns the runs from a first one, which is a run regardless of the schedule, up to and including
 * an instant. It takes milliseconds for any number of runs: after a long absence it skips most of
 * them.
 *
 * @param first milliseconds since the epoch, as is `until`, which must not be earlier
 * @param limit maximum number of `latest`, at least one
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
  // Steps back from the end by growing steps until there are enough runs. If there are far more
  // than needed, it bisects the last two steps.
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

/** Returns at most `most` runs in (after, until]. */
function walk(times: RunTimes, after: number, until: number, most: number): number[] {
  const runs: number[] = [];
  let run = times.next(new Date(after));
  for (; run !== undefined && run.getTime() <= until && runs.length < most; run = times.next(run)) runs.push(run.getTime());
  return runs;
}
