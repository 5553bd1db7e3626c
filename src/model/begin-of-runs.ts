import type { RunTimes } from '../schedule/expression';
import { timeIn, type ScheduledSparkApplication } from './scheduled-spark-application';

/**
 * Returns the instant, at most `after`, from which the times of a schedule are counted. Those of
 * `@every` depend on the previous run: the first one is after `after` and fits the planned one.
 *
 * @param after milliseconds since 1970
 */
export function beginOfRuns({ metadata, spec, status }: ScheduledSparkApplication, { interval }: RunTimes, after: number): number {
  // Resumed, it would begin anew.
  if (interval === undefined || spec.suspend) return after;
  const anchor = timeIn(status?.nextRun) ?? timeIn(status?.lastRun) ?? timeIn(metadata.creationTimestamp) ?? after;
  return after - mod(after - anchor, interval);
}

/** Modulo that is never negative, unlike `%`. */
function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
