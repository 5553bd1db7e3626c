import { parseSchedule, ScheduleError, type RunTimes } from '../../schedule/expression';
import { shortestInterval } from '../../schedule/shortest-interval';
import type { Problem } from '../../model/problem';
import { type CurrentDefaults, type Layer, LIMITS_KEY } from '../defaults/layer';
import { durationText } from '../../text/duration';

/** The minimum time between two runs of a schedule, and its origin. */
export interface IntervalLimit {
  readonly milliseconds: number;
  /** The end of a sentence: `the operator allows (--min-schedule-interval=15m)`. */
  readonly source: string;
  /** The person or role that users can ask. */
  readonly owner: string;
}

/**
 * Returns the strictest minimum interval of a namespace: that of the operator's flag, or of a
 * ConfigMap with limits. Undefined if there is none.
 *
 * @param flag `--min-schedule-interval` in milliseconds
 */
export function intervalLimit(flag: number, defaults?: CurrentDefaults): IntervalLimit | undefined {
  const { cluster, namespace } = defaults?.layers ?? {};
  const ofFlag = { milliseconds: flag, source: `the operator allows (--min-schedule-interval=${durationText(flag)})`, owner: OPERATORS };
  const limits = [ofFlag, ...[cluster, namespace].flatMap((layer) => (layer ? limitOf(layer) : []))];
  const strictest = limits.reduce((a, b) => (b.milliseconds > a.milliseconds ? b : a));
  return strictest.milliseconds > 0 ? strictest : undefined;
}

const OPERATORS = 'the administrator of the operator';

function limitOf({ configMap, limits: { minScheduleInterval: limit } }: Layer): IntervalLimit[] {
  if (!limit) return [];
  const source = `ConfigMap ${configMap} allows (${LIMITS_KEY}: minScheduleInterval: ${limit.text})`;
  return [{ milliseconds: limit.milliseconds, source, owner: 'the owner of the ConfigMap' }];
}

/** Fields that determine the times of a schedule; of any type. */
interface Timing {
  readonly schedule?: unknown;
  readonly timeZone?: unknown;
}

/**
 * Returns why a schedule runs too often: the rest of a sentence that begins with the field.
 * Undefined if it does not.
 */
export function intervalProblem(times: RunTimes, limit: IntervalLimit | undefined): string | undefined {
  if (!limit) return undefined;
  const shortest = shortestInterval(times);
  if (shortest >= limit.milliseconds) return undefined;
  const remedy = `write a schedule with at least ${durationText(limit.milliseconds)} between two runs, or ask ${limit.owner}`;
  return `has runs ${durationText(shortest)} apart, which is less than ${limit.source}; ${remedy}`;
}

/** Returns the same for the webhook. Another check reports an invalid schedule. */
export function intervalViolations({ schedule, timeZone }: Timing, limit: IntervalLimit | undefined): Problem[] {
  if (!limit || typeof schedule !== 'string') return [];
  try {
    const reason = intervalProblem(parseSchedule(schedule, typeof timeZone === 'string' ? timeZone : undefined), limit);
    return reason === undefined ? [] : [{ path: 'spec.schedule', value: schedule, reason }];
  } catch (error) {
    if (error instanceof ScheduleError) return [];
    throw error;
  }
}
