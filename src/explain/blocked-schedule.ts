import { ScheduleConditionType } from '../api/scheduled-spark-application-status';
import { obstacleText } from '../model/cause/obstacle-text';
import type { ScheduledSparkApplication, WaitingReason } from '../model/scheduled-spark-application';

/**
 * Returns why the run that is due of an active schedule cannot be created, such as an exceeded
 * quota; the operator tries again.
 *
 * @returns undefined if it can, or none is due
 */
export function blockedSchedule({ spec, status }: ScheduledSparkApplication): string | undefined {
  if (spec.suspend) return undefined;
  const waiting = status?.conditions?.find(({ type, ...condition }) => (
    type === ScheduleConditionType.WAITING && condition.status === 'True' && condition.reason === ('CannotStart' satisfies WaitingReason)
  ));
  return waiting && obstacleText(waiting.message ?? 'the run that is due cannot be created');
}
