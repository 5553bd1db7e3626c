import { CatchUpPolicy } from '../../api/scheduled-spark-application';
import { dueRuns } from '../../schedule/due-runs';
import type { SkipReason } from './decision';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { catchUpPolicyOf, type PlannedRuns } from './plan';

/**
 * Up to so many milliseconds after its time a run counts as one that begins on time: an operator that is updated, or another that takes over, needs as long. What is later was
 * missed.
 */
export const ON_TIME = 60_000;

/** With `CatchUpPolicy.ALL` so many of the runs that were missed are kept. */
const MOST_CAUGHT_UP = 100;

/** What is due, by the policies about runs that were missed. */
export interface Due {
  /** The time of the run that is to begin; undefined if none is left. */
  readonly time?: number;
  /** Whether it was missed. */
  readonly isLate: boolean;
  /** Whether it is one of several that begin one after the other. */
  readonly isBacklog: boolean;
  readonly skipped?: Skipped;
  /** The latest time that this is about, whether it has a run or not. */
  readonly last: number;
}

/** Times without a run. */
export interface Skipped {
  readonly reason: Exclude<SkipReason, 'forbidden'>;
  readonly runs: number;
  /** There are more than that. */
  readonly isMore: boolean;
  /** The first of them. */
  readonly from: number;
}

/**
 * What is due.
 *
 * @param next the run that was planned, in milliseconds since the epoch; not after `now`
 * @param admitted the time of a run that others have been deleted for, so that it cannot come too late any more; it is the one that was planned
 */
export function dueOf({ spec }: ScheduledSparkApplication, { times }: Pick<PlannedRuns, 'times'>, next: number, now: number, admitted?: number): Due {
  const policy = catchUpPolicyOf(spec);
  const { latest, earlier, isMore } = dueRuns(times, next, now, policy === CatchUpPolicy.ALL ? MOST_CAUGHT_UP : 1);
  const deadline = spec.startingDeadlineSeconds == null ? Infinity : spec.startingDeadlineSeconds * 1000;
  const inTime = latest.filter((each) => each === admitted || now - each <= deadline);
  const kept = policy === CatchUpPolicy.NONE ? inTime.filter((each) => each === admitted || now - each <= ON_TIME) : inTime;
  const last = latest[latest.length - 1]!;
  const [time] = kept;
  // Of those after it, what is too late is settled when it has begun: it would be told of at each look.
  if (admitted !== undefined && (time === undefined || time === admitted)) return { time: admitted, isLate: false, isBacklog: false, last };
  const runs = earlier + latest.length - kept.length;
  const isPastDeadline = inTime.length < latest.length;
  return {
    time,
    isLate: time !== undefined && now - time > ON_TIME,
    isBacklog: policy === CatchUpPolicy.ALL && time !== undefined && (kept.length > 1 || now - time > ON_TIME),
    ...(runs > 0 && { skipped: { reason: isPastDeadline ? 'deadline' : 'missed', runs, isMore, from: next } }),
    last,
  };
}
