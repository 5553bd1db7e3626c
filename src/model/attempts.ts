import type { AttemptRecord } from '../api/spark-application-status';
import { ApplicationState, AttemptResult, AttemptTrigger } from '../api/states';
import { shownCause, type KnownEnd } from './cause/status-cause';
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
 * result is the latest attempt, as far as the rest of the status describes it. An operator that
 * records none can also have ended an attempt that another began to record.
 *
 * @param known facts about the end of the latest attempt @default - its cause is that in the status
 */
export function attemptRecords(application: SparkApplication, known?: KnownEnd): readonly AttemptRecord[] {
  const { status } = application;
  const history = (status?.attemptHistory ?? []).map(shown);
  const last = history.at(-1);
  const end = endOf(application, known);
  if (last) {
    if (!end || last.submissionID !== status?.submissionID) return history;
    // The record has a cause of limited length, without what the log of the driver has.
    const latest = last.result === undefined ? { ...last, ...end } : { ...last, ...(end.cause !== undefined && { cause: end.cause }) };
    return [...history.slice(0, -1), latest];
  }
  const { submissionID, lastSubmissionAttemptTime, submissionAttempts, driverInfo, conditions = [] } = status ?? {};
  if (!submissionID || !lastSubmissionAttemptTime) return [];
  const running = conditions.find(({ type }) => type === 'Running');
  return [{
    number: submissionAttempts ?? 1,
    submissionID,
    submissionTime: lastSubmissionAttemptTime,
    ...(running?.status === 'True' && { driverStartTime: running.lastTransitionTime }),
    ...(driverInfo?.podName && { driverPodName: driverInfo.podName }),
    ...(status?.terminationTime && { endTime: status.terminationTime }),
    ...end,
  }];
}

/**
 * Returns the number of attempts since the last submission, edit, resume or rerun: 0 without any. A
 * suspension removes it from the status, so that of the last run follows from the records.
 */
export function attemptsOfRun({ status }: SparkApplication): number {
  const { submissionAttempts, attemptHistory = [] } = status ?? {};
  if (submissionAttempts !== undefined) return submissionAttempts;
  const first = attemptHistory.findLast(({ trigger }) => trigger !== AttemptTrigger.RESTART_POLICY)?.number ?? 1;
  return (attemptHistory.at(-1)?.number ?? 0) - first + 1;
}

function shown(record: AttemptRecord): AttemptRecord {
  return record.cause === undefined ? record : { ...record, cause: shownCause(record.cause) };
}

/** Returns the end of the latest attempt as the rest of the status describes it. */
function endOf(application: SparkApplication, known?: KnownEnd): Pick<AttemptRecord, 'endTime' | 'result' | 'cause'> | undefined {
  const result = RESULTS[stateOf(application)];
  if (!result) return undefined;
  const { terminationTime, applicationState } = application.status!;
  const cause = applicationState?.errorMessage;
  return { ...(terminationTime && { endTime: terminationTime }), result, ...(cause && { cause: shownCause(cause, known) }) };
}
