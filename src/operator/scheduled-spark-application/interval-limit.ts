import { parseSchedule, ScheduleError, type RunTimes } from '../../schedule/expression';
import { shortestInterval } from '../../schedule/shortest-interval';
import type { Violation } from '../../validation/validate';
import { LIMITS_KEY } from '../defaults/layer';
import type { CurrentDefaults } from '../defaults/source';
import { durationText } from '../flags/values';

/** The minimum time between two runs of a schedule, and who sets it. */
export interface IntervalLimit {
  readonly milliseconds: number;
  /** Ends a sentence: `the operator allows (--min-schedule-interval=15m)`. */
  readonly source: string;
  /** Whom users can ask. */
  readonly owner: string;
}

/**
 * Returns the strictest minimum interval of a namespace: that of the operator's flag, or of a ConfigMap
 * with limits. Undefined if there is none.
 *
 * @param flag `--min-schedule-interval` in milliseconds
 */
export function intervalLimit(flag: number, defaults?: CurrentDefaults): IntervalLimit | undefined {
  const { cluster, namespace } = defaults?.layers ?? {};
  const limits: IntervalLimit[] = [
    { milliseconds: flag, source: `the operator allows (--min-schedule-interval=${durationText(flag)})`, owner: 'the administrator of the operator' },
    ...[cluster, namespace].flatMap((layer) => {
      const limit = layer?.limits.minScheduleInterval;
      return layer && limit ? [{ milliseconds: limit.milliseconds, source: `ConfigMap ${layer.configMap} allows (${LIMITS_KEY}: minScheduleInterval: ${limit.text})`, owner: 'the owner of the ConfigMap' }] : [];
    }),
  ];
  const strictest = limits.reduce((a, b) => (b.milliseconds > a.milliseconds ? b : a));
  return strictest.milliseconds > 0 ? strictest : undefined;
}

/** Returns why a schedule runs too often: the rest of a sentence that begins with the field. Undefined if it does not. */
export function intervalProblem(times: RunTimes, limit: IntervalLimit | undefined): string | undefined {
  if (!limit) return undefined;
  const shortest = shortestInterval(times);
  if (shortest >= limit.milliseconds) return undefined;
  return `has runs ${durationText(shortest)} apart, which is less than ${limit.source}; write a schedule with at least ${durationText(limit.milliseconds)} between two runs, or ask ${limit.owner}`;
}

/** Returns the same for the webhook. A schedule that cannot be read is reported elsewhere. */
export function intervalViolations({ schedule, timeZone }: { readonly schedule?: unknown; readonly timeZone?: unknown }, limit: IntervalLimit | undefined): Violation[] {
  if (!limit || typeof schedule !== 'string') return [];
  try {
    const reason = intervalProblem(parseSchedule(schedule, typeof timeZone === 'string' ? timeZone : undefined), limit);
    return reason === undefined ? [] : [{ path: 'spec.schedule', value: schedule, reason }];
  } catch (error) {
    if (error instanceof ScheduleError) return [];
    throw error;
  }
}
