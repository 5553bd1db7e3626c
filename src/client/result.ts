import { ApplicationState, isTerminal } from '../api/states';
import { isCurrent } from '../model/actions/current';
import type { SparkApplicationObject } from './types';

/** An application that has ended. */
export interface Ended {
  /** What was seen of it last. */
  readonly application: SparkApplicationObject;
  /** How often its driver was started, since it was submitted, resumed or run again. */
  readonly attempts: number;
  /** How often it was tried to start its driver. */
  readonly submissions: number;
  /** From its creation to its end, in seconds. @default - the operator does not tell */
  readonly seconds?: number;
  /** From the begin of its last attempt to its end, in seconds. @default - nothing has begun, or the operator does not tell */
  readonly lastAttemptSeconds?: number;
}

/** It succeeded. */
export interface Completed extends Ended {
  readonly outcome: 'completed';
}

/** It failed, and is not tried again. */
export interface Failed extends Ended {
  readonly outcome: 'failed';
  /** Why, in the operator's words; it may have several lines, with what the driver has said last. */
  readonly reason: string;
  /** How the driver ended. @default - it did not start, or nobody knows */
  readonly exitCode?: number;
}

/** What was waited for has come, and the application goes on. */
export interface Reached {
  readonly outcome: 'reached';
  readonly application: SparkApplicationObject;
}

/** The time was over before. The application goes on. */
export interface TimedOut {
  readonly outcome: 'timed out';
  /** What was seen of it last. @default - the API server did not answer in this time */
  readonly application?: SparkApplicationObject;
}

/** Somebody has deleted it before it ended, or before its end was seen. */
export interface Deleted {
  readonly outcome: 'deleted';
  /** What was seen of it last. @default - it was gone already */
  readonly application?: SparkApplicationObject;
}

/** What became of an application that was waited for until its end. */
export type Result = Completed | Failed | TimedOut | Deleted;

/**
 * How an application has ended; undefined as long as it goes on.
 *
 * What the status says of an older specification is no end: one that was just told to run again is still called COMPLETED until the operator has seen that.
 */
export function endOf(application: SparkApplicationObject): Completed | Failed | undefined {
  const { metadata, status } = application;
  const { state = ApplicationState.NEW, errorMessage } = status?.applicationState ?? {};
  if (!isTerminal(state) || !isCurrent(application)) return undefined;
  const ended: Ended = {
    application,
    attempts: status?.executionAttempts ?? 0,
    submissions: status?.submissionAttempts ?? 0,
    seconds: secondsBetween(metadata.creationTimestamp, status?.terminationTime),
    lastAttemptSeconds: secondsBetween(status?.lastSubmissionAttemptTime, status?.terminationTime),
  };
  if (state === ApplicationState.COMPLETED) return { outcome: 'completed', ...ended };
  return { outcome: 'failed', ...ended, reason: errorMessage || 'the operator does not say why', exitCode: exitCodeIn(errorMessage) };
}

/** As the operator writes it, and kubeflow's does. */
function exitCodeIn(message: string | undefined): number | undefined {
  const code = /^driver container failed with ExitCode: (\d+)/.exec(message ?? '')?.[1];
  return code === undefined ? undefined : Number(code);
}

/** Of the clocks of different machines: never less than nothing. */
function secondsBetween(from: string | null | undefined, to: string | null | undefined): number | undefined {
  const seconds = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
