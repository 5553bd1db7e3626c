import { CatchUpPolicy, type ScheduledSparkApplicationSpec } from '../../../api/scheduled-spark-application';
import { catchUpPolicyOf, isActive, triggerOf, type ScheduledSparkApplication } from '../../../model/scheduled-spark-application';
import type { SparkApplication } from '../../../model/spark-application';
import { dueRuns } from '../../../schedule/due-runs';
import { canOverlap, startAfterDrivers } from './concurrency';
import type { Waiting } from './conditions';
import type { Observation, PlannedRun, Skipped } from './decision';
import type { PlannedRuns } from './plan';
import { REQUEUE_AFTER, type Step } from './step';
import * as scheduleEvents from './schedule-events';

/**
 * The latest start, in milliseconds after the scheduled time, that is still on time. An update of
 * the operator or a change of the leader takes as long. A later run was missed.
 */
export const ON_TIME = 60_000;

/** The most missed runs that `CatchUpPolicy.ALL` keeps. */
const MOST_CAUGHT_UP = 100;

/** Whether all missed runs are caught up, one after the other. */
export function catchesUpAll(spec: Pick<ScheduledSparkApplicationSpec, 'catchUpPolicy'>): boolean {
  return catchUpPolicyOf(spec) === CatchUpPolicy.ALL;
}

/** Returns the longest delay of a run, in milliseconds. */
function deadlineOf({ startingDeadlineSeconds: seconds }: Pick<ScheduledSparkApplicationSpec, 'startingDeadlineSeconds'>): number {
  return seconds == null ? Infinity : seconds * 1000;
}

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
  const deadline = deadlineOf(spec);
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

/** Returns the step of a missed run, which waits for earlier ones. */
export function catchUpStep(observation: Observation, run: PlannedRun): Step {
  return waitToCatchUp(observation) ?? startAfterDrivers(observation, run, catchingUp);
}

/** Returns the step while the next missed run waits for others; undefined if it does not. */
export function waitToCatchUp(observation: Observation): Step | undefined {
  const blocking = blockingCatchUp(observation);
  return blocking.length > 0 ? { waiting: catchingUp(blocking), requeueAfter: REQUEUE_AFTER } : undefined;
}

/**
 * Returns the runs that the next missed run waits for. Missed runs begin one after the other. If
 * runs can overlap, missed runs do not wait for runs on time.
 */
function blockingCatchUp({ schedule, runs }: Observation): string[] {
  const blocks = (run: SparkApplication) => isActive(run) && (!canOverlap(schedule.spec) || triggerOf(run) === 'catch-up');
  return runs.filter(blocks).map(({ metadata }) => metadata.name);
}

/**
 * Whether the planned run surely waits for others. This avoids a search of all due times, as the
 * wait can take hours.
 */
export function isSurelyBacklog({ schedule: { spec }, failures = [] }: Observation, next: number, now: number): boolean {
  if (!catchesUpAll(spec) || failures.length > 0) return false;
  return now - next > ON_TIME && now - next <= deadlineOf(spec);
}

/** Returns the reason why a missed run waits: runs or drivers with these names. */
export function catchingUp(names: readonly string[]): Waiting {
  return {
    reason: 'CatchingUp', message: `missed runs begin one after the other; the next one when ${scheduleEvents.several(names)} has ended`,
  };
}
