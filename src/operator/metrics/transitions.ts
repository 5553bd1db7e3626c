import { ApplicationState, ConditionType } from '../../api/states';
import { stateOf, type SparkApplication } from '../../model/spark-application';
import type { Series } from './series';

/** A written status. */
export interface Written {
  readonly before: SparkApplication;
  readonly after: SparkApplication;
  /** States that it entered, in order. */
  readonly passed: readonly ApplicationState[];
}

/** States of an attempt with a driver: a driver that waits again is not a new submission. */
const WITH_DRIVER: readonly ApplicationState[] = [ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN];

/**
 * Counts the state transitions of an application.
 *
 * @param now milliseconds since the epoch
 */
export function countTransitions(series: Series, { before, after, passed }: Written, now: number): void {
  if (isUntouched(before)) series.created++;
  let from = stateOf(before);
  for (const state of passed) {
    count(series, from, state, before, after, now);
    from = state;
  }
}

function count(
  series: Series, from: ApplicationState, state: ApplicationState, before: SparkApplication, after: SparkApplication, now: number,
): void {
  switch (state) {
    case ApplicationState.SUBMITTED:
      if (WITH_DRIVER.includes(from)) return;
      series.submitted++;
      // Later submissions did not wait for the operator.
      if (from === ApplicationState.NEW) series.submitLatency.observe(secondsSinceCreation(after, now));
      return;
    case ApplicationState.RUNNING:
      if (isFirstRun(from, before, after)) series.startLatency.observe(secondsSinceCreation(after, now));
      return;
    case ApplicationState.SUBMISSION_FAILED:
      series.failedSubmissions++;
      return;
    case ApplicationState.COMPLETED:
      series.succeeded++;
      series.successTime.observe(secondsOfAttempt(after));
      return;
    case ApplicationState.FAILED:
      series.failed++;
      // Without a submission, there was no execution.
      if (from !== ApplicationState.SUBMISSION_FAILED) series.failureTime.observe(secondsOfAttempt(after));
  }
}

/**
 * Whether its status was empty: the first write is not counted again after a restart of the
 * operator.
 */
export function isUntouched(application: SparkApplication): boolean {
  return stateOf(application) === ApplicationState.NEW && !application.status?.submissionAttempts
    && application.status?.observedGeneration === undefined;
}

/**
 * Whether it is the first attempt. A change of the specification resets the count of attempts, but
 * a condition that was ever true remains.
 */
function isFirstRun(from: ApplicationState, before: SparkApplication, after: SparkApplication): boolean {
  const hasBeen = (type: ConditionType) => before.status?.conditions?.some((condition) => condition.type === type) ?? false;
  return from === ApplicationState.SUBMITTED && after.status?.executionAttempts === 1 && !hasBeen(ConditionType.RUNNING)
    && !hasBeen(ConditionType.SUSPENDED);
}

/** Returns NaN if the time is unknown, and 0 if a clock is behind the API server's. */
function secondsSinceCreation({ metadata }: SparkApplication, now: number): number {
  return Math.max(0, (now - Date.parse(metadata.creationTimestamp ?? '')) / 1000);
}

function secondsOfAttempt({ status }: SparkApplication): number {
  return Math.max(0, (Date.parse(status?.terminationTime ?? '') - Date.parse(status?.lastSubmissionAttemptTime ?? '')) / 1000);
}
