import type { SparkApplicationStatus } from '../../../api/spark-application-status';
import { ApplicationState } from '../../../api/states';
import { viewOf } from '../../../model/pod-view';
import { isUnconfirmed } from '../../../model/spark-application';
import { withoutAttemptHistory } from './attempts';
import type { Chosen } from './chosen';
import { decide } from './decide';
import type { Context, Observation } from './decision';

/**
 * Returns the status for the intent of a native submission: that of a submitted application, as it
 * will be once the driver exists, so that a submission needs no second write. `isUnconfirmed`
 * distinguishes it from the status of an application whose driver exists.
 *
 * @param intent the status that the decision has for the intent
 * @returns undefined if the status has to follow the driver
 */
export function submittedAhead(
  observation: Observation, intent: SparkApplicationStatus, { submission, appliedDefaults }: Chosen, context: Context,
): SparkApplicationStatus | undefined {
  if (submission.kind !== 'native') return undefined;
  // As with kubeflow/spark-operator, a failed submission stays there until a retry succeeds.
  if (intent.applicationState?.state === ApplicationState.SUBMISSION_FAILED) return undefined;
  const { status, passed, action } = decide({
    ...observation,
    application: { ...observation.application, status: intent },
    driver: { kind: 'ours', pod: viewOf(submission.objects.driver) },
    confirmed: true,
    appliedDefaults,
  }, context);
  if (!status || action || passed.join() !== ApplicationState.SUBMITTED) return undefined;
  // The record of the attempt does not name the driver before it exists.
  const ahead = { ...withoutAttemptHistory(status), ...historyOf(intent) };
  return isUnconfirmed({ status: ahead }) ? ahead : undefined;
}

function historyOf({ attemptHistory, omittedAttempts }: SparkApplicationStatus): Partial<SparkApplicationStatus> {
  return { ...(attemptHistory && { attemptHistory }), ...(omittedAttempts !== undefined && { omittedAttempts }) };
}
