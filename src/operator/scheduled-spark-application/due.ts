import { CatchUpPolicy } from '../../api/scheduled-spark-application';
import { dueRuns } from '../../schedule/due-runs';
import type { SkipReason } from './decision';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { catchUpPolicyOf, type PlannedRuns } from './plan';

/**
 * The latest start, in milliseconds after the scheduled time, that is still on time. An update of
 * the operator or a change of the leader takes as long. A later run was missed.
 */
export const ON_TIME = 60_000;

/** The most missed runs that `CatchUpPolicy.ALL` keeps. */
const MOST_CAUGHT_UP = 100;

/** Due runs after the policies about missed runs. */
export interface Due {
  /** The time of the run that is to begin; undefined if none is left. */
  readonly time?: number;
  /** Whether the run was missed. */
  readonly isLate: boolean;
  /** Whether the run is one of several that begin one after the other. */
  readonly isBacklog: boolean;
  readonly skipped?: Skipped;
  /** The latest due time, with or without a run. */
  readonly last: number;
}

/** Times without a run. */
export interface Skipped {
  readonly reason: Exclude<SkipReason, 'forbidden'>;
  readonly runs: number;
  /** Whether there are more than `runs`. */
  readonly isMore: boolean;
  /** The first of the times. */
  readonly from: number;
}

/**
 * Returns what is due.
 *
 * @param next the planned run, in milliseconds since the epoch; not after `now`
 * @param admitted the time of a run that replaces others, so that it cannot be too late; it is the
 * planned one
 */
export function dueOf(
  { spec }: ScheduledSparkApplication, { times }: Pick<PlannedRuns, 'times'>, next: number, now: number, admitted?: number,
): Due {
  const policy = catchUpPolicyOf(spec);
  const { latest, earlier, isMore } = dueRuns(times, next, now, policy === CatchUpPolicy.ALL ? MOST_CAUGHT_UP : 1);
  const deadline = spec.startingDeadlineSeconds == null ? Infinity : spec.startingDeadlineSeconds * 1000;
  const inTime = latest.filter((each) => each === admitted || now - each <= deadline);
  const kept = policy === CatchUpPolicy.NONE ? inTime.filter((each) => each === admitted || now - each <= ON_TIME) : inTime;
  const last = latest[latest.length - 1]!;
  const [time] = kept;
  // Later times that are too late are settled after this run has begun: otherwise each pass would
  // record an event about them.
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
