import type { RunTimes } from './expression';

/**
 * The next runs after an instant, at most as many as asked for.
 * @internal
 */
export function nextRuns(times: RunTimes, count: number, after: Date): Date[] {
  const runs: Date[] = [];
  for (let run = times.next(after); run !== undefined && runs.length < count; run = times.next(run)) runs.push(run);
  return runs;
}
