import { ApplicationState, isTerminal } from '../api/states';
import { shownCause } from '../model/cause/status-cause';
import { isCurrent, requestedAt } from '../model/actions/current';
import type { SparkApplicationObject } from './types';

/** Result of an application that has ended. */
export interface Ended {
  /** Last observed version. */
  readonly application: SparkApplicationObject;
  /** Number of starts of its driver since it was submitted, resumed or run again. */
  readonly attempts: number;
  /** Number of attempts to start its driver. */
  readonly submissions: number;
  /**
   * Seconds from its creation, or its last `rerun`, to its end.
   *
   * @default - unknown, because the operator does not report it
   */
  readonly seconds?: number;
  /**
   * Seconds from the start of its last attempt to its end.
   *
   * @default - unknown, because nothing started or the operator does not report it
   */
  readonly lastAttemptSeconds?: number;
}

/** Result of a success. */
export interface Completed extends Ended {
  readonly outcome: 'completed';
}

/** Result of a final failure. */
export interface Failed extends Ended {
  readonly outcome: 'failed';
  /** Reason in the operator's words. */
  readonly reason: string;
  /**
   * Cause in one line, such as `ValueError: no rows (job.py:3)`. After a wait, it is that of the
   * driver's log, if the client can read it.
   */
  readonly cause: string;
  /** Exit code of the driver. @default - unknown, or the driver did not start */
  readonly exitCode?: number;
}

/** Result when the condition is met while the application continues. */
export interface Reached {
  readonly outcome: 'reached';
  readonly application: SparkApplicationObject;
}

/** Result when the time is over. The application continues. */
export interface TimedOut {
  readonly outcome: 'timed out';
  /** Last observed version. @default - the API server did not answer in this time */
  readonly application?: SparkApplicationObject;
}

/** Result when the application was deleted before its end was observed. */
export interface Deleted {
  readonly outcome: 'deleted';
  /** Last observed version. @default - it was already deleted */
  readonly application?: SparkApplicationObject;
}

/** Result of waiting for the end of an application. */
export type Result = Completed | Failed | TimedOut | Deleted;

/**
 * Returns the result of an application; undefined until it ends.
 *
 * A status of an older specification is ignored: after a rerun, it is COMPLETED until the
 * operator has observed the change.
 */
export function endOf(application: SparkApplicationObject): Completed | Failed | undefined {
  const { status } = application;
  const { state = ApplicationState.NEW, errorMessage } = status?.applicationState ?? {};
  if (!isTerminal(state) || !isCurrent(application)) return undefined;
  const ended: Ended = {
    application,
    attempts: status?.executionAttempts ?? 0,
    submissions: status?.submissionAttempts ?? 0,
    seconds: secondsBetween(requestedAt(application), timeOf(status?.terminationTime)),
    lastAttemptSeconds: secondsBetween(timeOf(status?.lastSubmissionAttemptTime), timeOf(status?.terminationTime)),
  };
  if (state === ApplicationState.COMPLETED) return { outcome: 'completed', ...ended };
  const reason = errorMessage || 'the operator reports no reason';
  const cause = shownCause(reason, { spec: application.spec });
  return { outcome: 'failed', ...ended, reason, cause, exitCode: exitCodeIn(errorMessage) };
}

/** Returns a failure with the cause in the end of the driver's log. @param log if it was read */
export function withLog(failed: Failed, log: string | undefined): Failed {
  return log === undefined ? failed : { ...failed, cause: shownCause(failed.reason, { spec: failed.application.spec, log }) };
}

/** Returns the exit code in the error message of the operator, or of kubeflow's. */
function exitCodeIn(message: string | undefined): number | undefined {
  const code = /^driver container failed with ExitCode: (\d+)/.exec(message ?? '')?.[1];
  return code === undefined ? undefined : Number(code);
}

/**
 * Returns the seconds between two times, at least 0: they come from the clocks of different
 * machines.
 */
function secondsBetween(from: number, to: number): number | undefined {
  const seconds = (to - from) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function timeOf(text: string | null | undefined): number {
  return Date.parse(text ?? '');
}
