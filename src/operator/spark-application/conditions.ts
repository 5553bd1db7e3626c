import type { Condition, SparkApplicationStatus } from '../../api/spark-application-status';
import { ApplicationState, ConditionType } from '../../api/states';
import { rfc3339 } from '../../text/times';

/** The conditions that are true in a state; the others are not. */
const TRUE_IN: Readonly<Record<ConditionType, readonly ApplicationState[]>> = {
  [ConditionType.SUBMITTED]: [
    ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN, ApplicationState.SUCCEEDING, ApplicationState.FAILING, ApplicationState.COMPLETED,
  ],
  [ConditionType.RUNNING]: [ApplicationState.RUNNING],
  [ConditionType.COMPLETED]: [ApplicationState.COMPLETED],
  [ConditionType.FAILED]: [ApplicationState.FAILED],
  [ConditionType.SUSPENDED]: [ApplicationState.SUSPENDED],
};

/** The reason of all conditions in a state: one word, as tools expect it. */
const REASONS: Readonly<Record<ApplicationState, string>> = {
  [ApplicationState.NEW]: 'New',
  [ApplicationState.SUBMITTED]: 'DriverPending',
  [ApplicationState.RUNNING]: 'DriverRunning',
  [ApplicationState.UNKNOWN]: 'DriverUnknown',
  [ApplicationState.SUCCEEDING]: 'DriverCompleted',
  [ApplicationState.FAILING]: 'DriverFailed',
  [ApplicationState.SUBMISSION_FAILED]: 'SubmissionFailed',
  [ApplicationState.COMPLETED]: 'Completed',
  [ApplicationState.FAILED]: 'Failed',
  [ApplicationState.PENDING_RERUN]: 'PendingRerun',
  [ApplicationState.INVALIDATING]: 'SpecChanged',
  [ApplicationState.SUSPENDING]: 'Suspending',
  [ApplicationState.SUSPENDED]: 'Suspended',
  [ApplicationState.RESUMING]: 'Resuming',
};

/**
 * The standard conditions of a status. One that has never been true is left out; the status of many applications should stay small.
 *
 * @param generation the generation of the application that the status is about
 */
export function conditionsOf(status: SparkApplicationStatus, generation: number | undefined, now: number): Condition[] {
  const state = status.applicationState?.state ?? ApplicationState.NEW;
  const before = new Map((status.conditions ?? []).map((condition) => [condition.type, condition]));
  return Object.values(ConditionType).flatMap((type) => {
    const isTrue = TRUE_IN[type].includes(state) || (type === ConditionType.SUBMITTED && state === ApplicationState.FAILED && status.sparkApplicationId !== undefined);
    const known = before.get(type);
    if (!isTrue && !known) return [];
    const value = isTrue ? 'True' : 'False';
    const changed = known?.status !== value;
    return [{
      type,
      status: value,
      // A condition that stays as it is keeps its reason: it tells why it became so.
      reason: changed ? REASONS[state] : known.reason,
      message: changed ? messageOf(status) : known.message,
      lastTransitionTime: changed ? rfc3339(now) : known.lastTransitionTime,
      ...(generation !== undefined && { observedGeneration: generation }),
    }];
  });
}

/** The full message is in `applicationState`. */
const MESSAGE_LENGTH = 200;

function messageOf({ applicationState }: SparkApplicationStatus): string {
  const message = applicationState?.errorMessage ?? '';
  const characters = [...message.slice(0, 2 * MESSAGE_LENGTH)];
  return characters.length > MESSAGE_LENGTH ? `${characters.slice(0, MESSAGE_LENGTH).join('')}…` : message;
}
