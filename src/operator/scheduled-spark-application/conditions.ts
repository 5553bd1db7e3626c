import { ScheduleConditionType, type ScheduledSparkApplicationStatus } from '../../api/scheduled-spark-application-status';
import type { StandardCondition } from '../../api/standard-condition';
import { rfc3339 } from '../../text/times';

/** Why a run that is due has not begun. */
export interface Waiting {
  /** One word. */
  readonly reason: 'Replacing' | 'CatchingUp' | 'CannotStart';
  readonly message: string;
}

/** What is true of a schedule. */
export interface Facts {
  readonly isSuspended: boolean;
  readonly waiting?: Waiting;
}

/** The standard conditions. One that has never been true is left out. */
export function conditionsOf({ isSuspended, waiting }: Facts, before: readonly StandardCondition[] | undefined, generation: number | undefined, now: number): StandardCondition[] {
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

/** The reasons of conditions that are not true any more. */
const NOT: Readonly<Record<ScheduleConditionType, string>> = {
  [ScheduleConditionType.SUSPENDED]: 'Scheduled',
  [ScheduleConditionType.WAITING]: 'NothingWaits',
};

const ADMITTED = ' begins when ';

/** A run comes in the place of others, and waits until they are gone. */
export function replacing(run: string, others: string): Waiting {
  return { reason: 'Replacing', message: `${run}${ADMITTED}${others} is gone` };
}

/** The name of the run that others have been deleted for, or are about to be, as it was written down; names have no spaces. */
export function admittedIn(status: ScheduledSparkApplicationStatus | undefined): string | undefined {
  const condition = conditionIn(status, ScheduleConditionType.WAITING);
  return condition?.reason === 'Replacing' satisfies Waiting['reason'] ? condition.message?.split(ADMITTED)[0] : undefined;
}

/** Whether a condition is true. */
export function isTrue(status: ScheduledSparkApplicationStatus | undefined, type: ScheduleConditionType): boolean {
  return conditionIn(status, type) !== undefined;
}

function conditionIn(status: ScheduledSparkApplicationStatus | undefined, type: ScheduleConditionType): StandardCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}
