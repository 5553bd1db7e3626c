import { ScheduleConditionType, type ScheduledSparkApplicationStatus } from '../../../api/scheduled-spark-application-status';
import type { StandardCondition } from '../../../api/standard-condition';
import type { WaitingReason } from '../../../model/scheduled-spark-application';
import { rfc3339 } from '../../../text/times';

/** The reason why a run that is due has not begun. */
export interface Waiting {
  readonly reason: WaitingReason;
  readonly message: string;
}

/** Facts about a schedule that its conditions report. */
export interface Facts {
  readonly isSuspended: boolean;
  readonly waiting?: Waiting;
}

/** Returns the standard conditions. It leaves out conditions that have never been true. */
export function conditionsOf(
  { isSuspended, waiting }: Facts, before: readonly StandardCondition[] | undefined, generation: number | undefined, now: number,
): StandardCondition[] {
  const truth: Readonly<Record<ScheduleConditionType, Pick<StandardCondition, 'reason' | 'message'> | undefined>> = {
    [ScheduleConditionType.SUSPENDED]: isSuspended ? { reason: 'Suspended', message: 'spec.suspend is true' } : undefined,
    [ScheduleConditionType.WAITING]: waiting,
  };
  return Object.values(ScheduleConditionType).flatMap((type) => {
    const known = before?.find((condition) => condition.type === type);
    const is = truth[type];
    if (!is && !known) return [];
    const status = is ? 'True' : 'False';
    const hasChanged = known?.status !== status;
    return [{
      type,
      status,
      reason: is?.reason ?? NOT[type],
      message: is?.message ?? '',
      lastTransitionTime: hasChanged ? rfc3339(now) : known.lastTransitionTime,
      ...(generation !== undefined && { observedGeneration: generation }),
    }];
  });
}

/** The reasons of conditions that are no longer true. */
const NOT: Readonly<Record<ScheduleConditionType, string>> = {
  [ScheduleConditionType.SUSPENDED]: 'Scheduled',
  [ScheduleConditionType.WAITING]: 'NothingWaits',
};

const ADMITTED = ' begins when ';

/** Returns the reason of a run that replaces others and waits until they are gone. */
export function replacing(run: string, others: string): Waiting {
  return { reason: 'Replacing', message: `${run}${ADMITTED}${others} is gone` };
}

/**
 * Returns the name of the run that replaces others, which are deleted or about to be. It is read
 * from the condition's message; names have no spaces.
 */
export function admittedIn(status: ScheduledSparkApplicationStatus | undefined): string | undefined {
  const condition = conditionIn(status, ScheduleConditionType.WAITING);
  return condition?.reason === 'Replacing' satisfies WaitingReason ? condition.message?.split(ADMITTED)[0] : undefined;
}

/** Whether a condition is true. */
export function isTrue(status: ScheduledSparkApplicationStatus | undefined, type: ScheduleConditionType): boolean {
  return conditionIn(status, type) !== undefined;
}

function conditionIn(status: ScheduledSparkApplicationStatus | undefined, type: ScheduleConditionType): StandardCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}
