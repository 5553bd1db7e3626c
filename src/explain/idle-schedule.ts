import { blockedSchedule } from './blocked-schedule';
import { explainUnattendedSchedule } from './explain-unattended';
import { invalidSchedule } from './invalid-schedule';
import type { OperatorPresence } from '../model/operator-presence';
import type { ScheduledSparkApplication } from '../model/scheduled-spark-application';

/** Why an active schedule starts no runs. */
export interface IdleReason {
  readonly words: 'invalid' | 'no operator' | 'cannot start';
  readonly sentence: string;
}

/**
 * Returns why an active schedule starts no runs.
 *
 * @param operator @default - it is unknown whether one runs
 * @returns undefined if it is suspended, or starts them as far as known
 */
export function idleSchedule(schedule: ScheduledSparkApplication, operator?: OperatorPresence): IdleReason | undefined {
  if (schedule.spec.suspend) return undefined;
  const invalid = invalidSchedule(schedule);
  if (invalid !== undefined) return { words: 'invalid', sentence: invalid };
  const unattended = explainUnattendedSchedule(schedule, operator);
  if (unattended) return { words: 'no operator', sentence: unattended.sentence };
  const blocked = blockedSchedule(schedule);
  return blocked === undefined ? undefined : { words: 'cannot start', sentence: blocked };
}
