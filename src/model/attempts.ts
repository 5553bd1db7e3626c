import type { AttemptRecord } from '../api/spark-application-status';
import { ApplicationState, AttemptResult } from '../api/states';
import { causeInStatus } from './cause/status-cause';
import { stateOf, type SparkApplication } from './spark-application';

/** Results of an attempt that has ended, by the state of its application. */
const RESULTS: Readonly<Record<string, AttemptResult | undefined>> = {
  [ApplicationState.SUCCEEDING]: AttemptResult.COMPLETED,
  [ApplicationState.COMPLETED]: AttemptResult.COMPLETED,
  [ApplicationState.FAILING]: AttemptResult.FAILED,
  [ApplicationState.FAILED]: AttemptResult.FAILED,
  [ApplicationState.SUBMISSION_FAILED]: AttemptResult.SUBMISSION_FAILED,
};

/**
 * Returns the recorded attempts of an application, oldest first. If its operator records none, the
 * result is the latest attempt, as far as the rest of the status describes it.
 */
export function attemptRecords(application: SparkApplication): readonly AttemptRecord[] {
  const { status } = application;
  if (status?.attemptHistory?.length) return status.attemptHistory;
  const { submissionID, lastSubmissionAttemptTime, terminationTime, submissionAttempts, driverInfo, conditions = [] } = status ?? {};
  if (!submissionID || !lastSubmissionAttemptTime) return [];
  const result = RESULTS[stateOf(application)];
  const running = conditions.find(({ type }) => type === 'Running');
  const cause = status?.applicationState?.errorMessage;
  return [{
    number: submissionAttempts ?? 1,
    submissionID,
    submissionTime: lastSubmissionAttemptTime,
    ...(running?.status === 'True' && { driverStartTime: running.lastTransitionTime }),
    ...(driverInfo?.podName && { driverPodName: driverInfo.podName }),
    ...(terminationTime && { endTime: terminationTime }),
    ...(result && { result, ...(cause && { cause: causeInStatus(cause) }) }),
  }];
}
