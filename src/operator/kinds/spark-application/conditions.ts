import type { Condition, SparkApplicationStatus } from '../../../api/spark-application-status';
import { ApplicationState, ConditionType } from '../../../api/states';
import { shownCause } from '../../../model/cause/status-cause';
import { beginningOf } from '../../../text/shorten';
import { rfc3339 } from '../../../text/times';

/** States in which each condition is true. It is false in the others. */
const TRUE_IN: Readonly<Record<ConditionType, readonly ApplicationState[]>> = {
  [ConditionType.SUBMITTED]: [
    ApplicationState.SUBMITTED,
    ApplicationState.RUNNING,
    ApplicationState.UNKNOWN,
    ApplicationState.SUCCEEDING,
    ApplicationState.FAILING,
    ApplicationState.COMPLETED,
  ],
  [ConditionType.RUNNING]: [ApplicationState.RUNNING],
  [ConditionType.COMPLETED]: [ApplicationState.COMPLETED],
  [ConditionType.FAILED]: [ApplicationState.FAILED],
  [ConditionType.SUSPENDED]: [ApplicationState.SUSPENDED],
};

/** Reason of all conditions in a state: one word, as tools expect it. */
const REASONS: Readonly<Record<ApplicationState, string>> = {
  [ApplicationState.NEW]: 'New',
  [ApplicationState.SUBMITTED]: 'DriverCreated',
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
 * Returns the standard conditions of a status. It leaves out a condition that has never been true,
 * so that the status of many applications stays small.
 *
 * @param generation the application's generation that the status describes
 */
export function conditionsOf(status: SparkApplicationStatus, generation: number | undefined, now: number): Condition[] {
  const state = status.applicationState?.state ?? ApplicationState.NEW;
  const before = new Map((status.conditions ?? []).map((condition) => [condition.type, condition]));
  return Object.values(ConditionType).flatMap((type) => {
    const isTrue = TRUE_IN[type].includes(state)
      || (type === ConditionType.SUBMITTED && state === ApplicationState.FAILED && status.sparkApplicationId !== undefined);
    const known = before.get(type);
    if (!isTrue && !known) return [];
    // This condition stays true after the driver has started or ended.
    const isSubmitted = type === ConditionType.SUBMITTED && isTrue;
    const value = isTrue ? 'True' : 'False';
    const changed = known?.status !== value;
    return [{
      type,
      status: value,
      // A condition that keeps its value keeps its reason, which explains the last change.
      reason: !changed ? known.reason : REASONS[isSubmitted ? ApplicationState.SUBMITTED : state],
      message: changed ? messageOf(status) : known.message,
      lastTransitionTime: changed ? rfc3339(now) : known.lastTransitionTime,
      ...(generation !== undefined && { observedGeneration: generation }),
    }];
  });
}

/**
 * Maximum length of a condition's message, in characters. `applicationState` has the full message.
 */
const MESSAGE_LENGTH = 200;

/** Returns the cause in one line, cut after a word. */
function messageOf({ applicationState }: SparkApplicationStatus): string {
  const message = shownCause(applicationState?.errorMessage ?? '');
  if (message.length <= MESSAGE_LENGTH) return message;
  return `${beginningOf(message, MESSAGE_LENGTH).replace(/\s+\S{0,40}$/, '')} …`;
}
