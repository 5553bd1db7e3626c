import type { RunTimes } from './expression';

/**
 * Returns at most `count` runs after an instant.
 *
 * @param until excludes runs after this instant. The search for a rare run takes long, so it stops
 * at the first run after this instant
 * @internal
 */
export function nextRuns(times: RunTimes, count: number, after: Date, until?: Date): Date[] {
  const runs: Date[] = [];
  for (let last = after; runs.length < count;) {
    const run = times.next(last);
    if (run === undefined || (until !== undefined && run > until)) break;
    runs.push(run);
    last = run;
  }
  return runs;
}
