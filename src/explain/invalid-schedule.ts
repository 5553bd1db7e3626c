import { ScheduleState } from '../api/scheduled-spark-application-status';
import { isCurrent } from '../model/actions/current';
import type { ScheduledSparkApplication } from '../model/scheduled-spark-application';
import { parseSchedule, ScheduleError } from '../schedule/expression';

/**
 * Returns why a schedule starts no runs: the operator has rejected it, or would reject its cron
 * expression.
 *
 * @returns undefined for a valid schedule
 */
export function invalidSchedule(schedule: ScheduledSparkApplication): string | undefined {
  const { spec, status } = schedule;
  if (status?.scheduleState === ScheduleState.FAILED_VALIDATION) return status.reason ?? 'the operator has rejected it';
  // The operator has accepted it. The console asks for each change of thousands of schedules.
  if (status?.observedGeneration !== undefined && isCurrent(schedule)) return undefined;
  try {
    parseSchedule(spec.schedule, spec.timeZone);
    return undefined;
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return `spec.${error.message}`;
  }
}
