import { CatchUpPolicy, ConcurrencyPolicy, type ScheduledSparkApplicationSpec } from '../../../api/scheduled-spark-application';
import { LruMap } from '../../../kube/lru-map';
import { parseSchedule, ScheduleError, type RunTimes } from '../../../schedule/expression';
import type { SparkApplication } from '../../../model/spark-application';
import type { Context } from './decision';
import { intervalProblem } from '../../../plan/schedule/interval-limit';
import {
  catchUpPolicyOf, concurrencyPolicyOf, scheduledTimeOf, timeIn, type ScheduledSparkApplication,
} from '../../../model/scheduled-spark-application';
import { hashOf, timeOfRunName } from '../../../model/run-names';
import { oversizedReason } from './transform';

/** The plan of a schedule for the next run. */
export type Plan =
  /** The schedule is invalid. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** The schedule is suspended. */
  | { readonly kind: 'suspended' }
  | PlannedRuns;

/** Planned runs. */
export interface PlannedRuns {
  readonly kind: 'planned';
  readonly times: RunTimes;
  /**
   * The time of the next run, in milliseconds since the epoch; it can be in the past. Undefined if
   * there are no more runs.
   */
  readonly next: number | undefined;
  /** Whether the time follows from the current time, not from an earlier plan. */
  readonly isNew: boolean;
  readonly hash: string;
}

/**
 * The largest correction of a clock, in milliseconds, that does not repeat runs. A run that is
 * later than that was started by a wrong clock.
 */
const LARGEST_STEP_BACK = 24 * 3_600_000;

/**
 * Returns the plan. It keeps the next run in the status if that is still valid. A changed schedule,
 * or one that resumes after a suspension, is planned from now on: earlier runs are not due.
 */
export function planOf(
  schedule: ScheduledSparkApplication, runs: readonly SparkApplication[], { now, intervalLimit }: Pick<Context, 'now' | 'intervalLimit'>,
): Plan {
  const { metadata, spec, status } = schedule;
  const reason = wrongName(metadata.name) ?? oversizedReason(schedule) ?? wrongPolicy(spec);
  if (reason) return { kind: 'invalid', reason };
  let times: RunTimes;
  try {
    times = readSchedule(spec);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return { kind: 'invalid', reason: `spec.${error.message}` };
  }
  const tooOften = intervalProblem(times, intervalLimit);
  if (tooOften) return { kind: 'invalid', reason: `spec.schedule = ${JSON.stringify(spec.schedule)} ${tooOften}` };
  if (spec.suspend) return { kind: 'suspended' };
  const hash = scheduleHash(spec);
  const planned = timeIn(status?.nextRun);
  // A clock that was set back must not repeat runs that have begun.
  const isSame = status?.scheduleHash === undefined || status.scheduleHash === hash;
  const first = times.next(new Date(isSame ? Math.max(now, begunUntil(schedule, runs, now)) : now))?.getTime();
  if (planned !== undefined && holds(planned, times, status?.scheduleHash, hash, first, now)) {
    return { kind: 'planned', times, next: planned, isNew: false, hash };
  }
  return { kind: 'planned', times, next: first, isNew: true, hash };
}

/** Returns a hash of everything that determines the times of runs. */
export function scheduleHash({ schedule, timeZone }: Pick<ScheduledSparkApplicationSpec, 'schedule' | 'timeZone'>): string {
  return hashOf(JSON.stringify([schedule.trim(), timeZone ?? ''])).slice(0, 16);
}

/**
 * Whether the planned run is still the next one. Without a hash, another operator has planned it,
 * or the cluster has another CRD, which drops the hash. Then the time must be one of the schedule,
 * and no earlier time must be left out. kubeflow's operator leaves out those of an edited schedule.
 */
function holds(
  planned: number, times: RunTimes, writtenHash: string | undefined, hash: string, first: number = Infinity, now: number,
): boolean {
  if (writtenHash !== undefined && writtenHash !== hash) return false;
  if (writtenHash !== undefined) return planned <= first || planned <= now;
  const isTime = times.interval !== undefined || times.next(new Date(planned - 1))?.getTime() === planned;
  return isTime && planned <= first;
}

/**
 * Returns the latest time, before or after now, for which a run has begun. For a requested run this
 * is its start: earlier times are settled.
 */
function begunUntil(schedule: ScheduledSparkApplication, runs: readonly SparkApplication[], now: number): number {
  const { metadata, status } = schedule;
  const last = status?.lastRunName ? timeOfRunName(metadata.name, status.lastRunName) ?? timeIn(status.lastRun) : undefined;
  const known = [last, ...runs.map(scheduledTimeOf)].filter((time) => time !== undefined && time - now <= LARGEST_STEP_BACK);
  return Math.max(-Infinity, ...known as number[]);
}

/** Returns what is wrong with a name. Our CRD rejects such names; another CRD might accept them. */
function wrongName(name: string): string | undefined {
  return name.length <= MAX_LABEL_LENGTH ? undefined
    : `metadata.name has ${name.length} characters, and its runs have it in a label, which holds ${MAX_LABEL_LENGTH}; create the `
      + 'schedule under a shorter name';
}

const MAX_LABEL_LENGTH = 63;

/**
 * Returns what is wrong with the policies. Our CRD rejects such values; another CRD might accept
 * them.
 */
function wrongPolicy(spec: Pick<ScheduledSparkApplicationSpec, 'concurrencyPolicy' | 'catchUpPolicy'>): string | undefined {
  const problem = (field: string, value: unknown, known: readonly string[]) => (
    known.includes(value as string)
      ? undefined
      : `spec.${field} = ${JSON.stringify(value)} is unknown; write ${known.slice(0, -1).join(', ')} or ${known[known.length - 1]}`
  );
  return problem('concurrencyPolicy', concurrencyPolicyOf(spec), Object.values(ConcurrencyPolicy))
    ?? problem('catchUpPolicy', catchUpPolicyOf(spec), Object.values(CatchUpPolicy));
}

/**
 * The most parsed schedules that are cached. One takes 85 KiB of memory, mostly for a table of
 * years, and 0.1 ms to parse.
 */
const MAX_READ = 128;

/**
 * The longest schedule that is cached, in characters. The CRD allows 1,024, and 255 for the time
 * zone; another CRD might allow more.
 */
const MAX_READ_LENGTH = 2_048;

const READ = new LruMap<string, RunTimes>(MAX_READ);

function readSchedule({ schedule, timeZone }: Pick<ScheduledSparkApplicationSpec, 'schedule' | 'timeZone'>): RunTimes {
  const key = JSON.stringify([schedule, timeZone]);
  const known = READ.get(key);
  if (known) return known;
  const times = parseSchedule(schedule, timeZone ?? undefined);
  if (key.length <= MAX_READ_LENGTH) READ.set(key, times);
  return times;
}
