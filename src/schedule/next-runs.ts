import type { RunTimes } from './expression';

/**
 * The next runs after an instant, at most as many as asked for.
 *
 * @param until none after this instant, and at most one is looked for there: to find a run that is rare takes its time
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
