import { CatchUpPolicy, ConcurrencyPolicy, type ScheduledSparkApplicationSpec } from '../../api/scheduled-spark-application';
import { LruMap } from '../../kube/lru-map';
import { parseSchedule, ScheduleError, type RunTimes } from '../../schedule/expression';
import type { SparkApplication } from '../../model/spark-application';
import type { Context } from './decision';
import { intervalProblem } from '../../plan/schedule/interval-limit';
import { scheduledTimeOf, timeIn, type ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { hashOf, timeOfRunName } from '../../model/run-names';
import { oversizedReason } from './transform';

/** What follows from a schedule for the next run. */
export type Plan =
  /** It cannot be followed. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** There are to be no runs for now. */
  | { readonly kind: 'suspended' }
  | PlannedRuns;

/** Runs are planned. */
export interface PlannedRuns {
  readonly kind: 'planned';
  readonly times: RunTimes;
  /** When the next one is due, in milliseconds since the epoch; it may be over. Undefined if there is none any more. */
  readonly next: number | undefined;
  /** Whether it follows from the time at which this is asked, and not from what was planned before. */
  readonly isNew: boolean;
  readonly hash: string;
}

/** So far a clock may have been set back, in milliseconds, without runs coming a second time. A run that has begun still later did so by a clock that was wrong. */
const LARGEST_STEP_BACK = 24 * 3_600_000;

/**
 * The plan, and whether what is in the status still holds. A schedule that was changed, and one that goes on after a suspension, is planned from now on: what would have been due
 * before is nobody's loss.
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
  // A clock that was set back does not bring a second time what has begun.
  const isSame = status?.scheduleHash === undefined || status.scheduleHash === hash;
  const first = times.next(new Date(isSame ? Math.max(now, begunUntil(schedule, runs, now)) : now))?.getTime();
  if (planned !== undefined && holds(planned, times, status?.scheduleHash, hash, first, now)) return { kind: 'planned', times, next: planned, isNew: false, hash };
  return { kind: 'planned', times, next: first, isNew: true, hash };
}

/** Changes with all that decides about the times of runs. */
export function scheduleHash({ schedule, timeZone }: Pick<ScheduledSparkApplicationSpec, 'schedule' | 'timeZone'>): string {
  return hashOf(JSON.stringify([schedule.trim(), timeZone ?? ''])).slice(0, 16);
}

/** The runs that each policy leaves of those that were missed. */
export function catchUpPolicyOf({ catchUpPolicy }: Pick<ScheduledSparkApplicationSpec, 'catchUpPolicy'>): CatchUpPolicy {
  return catchUpPolicy || CatchUpPolicy.LATEST;
}

/** Unset and empty mean what is documented everywhere. */
export function concurrencyPolicyOf({ concurrencyPolicy }: Pick<ScheduledSparkApplicationSpec, 'concurrencyPolicy'>): ConcurrencyPolicy {
  return concurrencyPolicy || ConcurrencyPolicy.ALLOW;
}

/**
 * Whether the run that was planned still is the next one. Without a hash another operator has planned it, or the CRD in the cluster is not ours and drops the hash: then the time itself
 * must be one of the schedule, and none before it be left out, as kubeflow's operator leaves out those of an edited schedule.
 */
function holds(planned: number, times: RunTimes, writtenHash: string | undefined, hash: string, first: number = Infinity, now: number): boolean {
  if (writtenHash !== undefined && writtenHash !== hash) return false;
  if (writtenHash !== undefined) return planned <= first || planned <= now;
  const isTime = times.interval !== undefined || times.next(new Date(planned - 1))?.getTime() === planned;
  return isTime && planned <= first;
}

/** The latest time, before or after now, for which a run is known to have begun. Of a run that was asked for it is known when it began: what was due before had its turn. */
function begunUntil(schedule: ScheduledSparkApplication, runs: readonly SparkApplication[], now: number): number {
  const { metadata, status } = schedule;
  const last = status?.lastRunName ? timeOfRunName(metadata.name, status.lastRunName) ?? timeIn(status.lastRun) : undefined;
  const known = [last, ...runs.map(scheduledTimeOf)].filter((time) => time !== undefined && time - now <= LARGEST_STEP_BACK);
  return Math.max(-Infinity, ...known as number[]);
}

/** The CRD refuses it; one that is not ours may let it pass. */
function wrongName(name: string): string | undefined {
  return name.length <= MAX_LABEL_LENGTH ? undefined
    : `metadata.name has ${name.length} characters, and its runs have it in a label, which holds ${MAX_LABEL_LENGTH}; create the schedule under a shorter name`;
}

const MAX_LABEL_LENGTH = 63;

/** The CRD refuses these; one that is not ours may let them pass. */
function wrongPolicy(spec: Pick<ScheduledSparkApplicationSpec, 'concurrencyPolicy' | 'catchUpPolicy'>): string | undefined {
  const problem = (field: string, value: unknown, known: readonly string[]) => (
    known.includes(value as string) ? undefined : `spec.${field} = ${JSON.stringify(value)} is unknown; write ${known.slice(0, -1).join(', ')} or ${known[known.length - 1]}`
  );
  return problem('concurrencyPolicy', concurrencyPolicyOf(spec), Object.values(ConcurrencyPolicy)) ?? problem('catchUpPolicy', catchUpPolicyOf(spec), Object.values(CatchUpPolicy));
}

/** Schedules that are kept as parsed: one takes 85 KiB of memory, most of it a table of years, and 0.1 ms to parse. */
const MAX_READ = 128;

/** The longest text of a schedule that is kept, in characters. The CRD allows 1,024 and 255 for the time zone; another CRD might allow more. */
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
