import { blockedSchedule } from './blocked-schedule';
import { explainUnattendedSchedule } from './explain-unattended';
import { invalidSchedule } from './invalid-schedule';
import type { OperatorPresence } from '../model/operator-presence';
import type { ScheduledSparkApplication } from '../model/scheduled-spark-application';

/** Why an active schedule starts no runs, in a few words. */
export type ShortScheduleReason = 'invalid' | 'no operator' | 'cannot start';

/**
 * Returns why an active schedule starts no runs.
 *
 * @param operator @default - it is unknown whether one runs
 * @returns undefined if it is suspended, or starts them as far as known
 */
export function shortScheduleReason(schedule: ScheduledSparkApplication, operator?: OperatorPresence): ShortScheduleReason | undefined {
  if (schedule.spec.suspend) return undefined;
  if (invalidSchedule(schedule) !== undefined) return 'invalid';
  if (explainUnattendedSchedule(schedule, operator)) return 'no operator';
  return blockedSchedule(schedule) === undefined ? undefined : 'cannot start';
}
