import type { AttemptRecord, SparkApplicationStatus } from '../../../api/spark-application-status';
import { ApplicationState, AttemptResult, AttemptTrigger } from '../../../api/states';
import { LABEL_SUBMISSION_ID } from '../../../api/labels';
import { shownCause } from '../../../model/cause/status-cause';
import { isBegun, isWhole, stateOf, type SparkApplication } from '../../../model/spark-application';
import type { PodView } from '../../../model/pod-view';
import { requestedExecutors } from '../../../model/requested-executors';
import { boundedText } from '../../../text/bounded-text';
import { bytesOf } from '../../../text/json-bytes';
import { rfc3339 } from '../../../text/times';
import { attemptExecutors } from './attempt-executors';
import { governed, type Context, type Observation } from './decision';

/** Maximum number of attempts in the status. */
export const MAX_ATTEMPTS = 20;

/** Maximum size of the attempts in the status, in bytes of JSON. */
const MAX_ATTEMPT_BYTES = 12 * 1024;

/** Maximum length of the cause of a failure, in characters. */
const MAX_CAUSE = 200;

/** Results of attempts by the state that ends them. */
const RESULTS: Partial<Readonly<Record<ApplicationState, AttemptResult>>> = {
  [ApplicationState.SUCCEEDING]: AttemptResult.COMPLETED,
  [ApplicationState.COMPLETED]: AttemptResult.COMPLETED,
  [ApplicationState.FAILING]: AttemptResult.FAILED,
  [ApplicationState.FAILED]: AttemptResult.FAILED,
  [ApplicationState.SUBMISSION_FAILED]: AttemptResult.SUBMISSION_FAILED,
  [ApplicationState.SUSPENDING]: AttemptResult.STOPPED,
  [ApplicationState.SUSPENDED]: AttemptResult.STOPPED,
  [ApplicationState.INVALIDATING]: AttemptResult.STOPPED,
};

/** Part of the status about attempts. */
type History = Pick<SparkApplicationStatus, 'attemptHistory' | 'omittedAttempts'>;

/** Dependencies of a record. */
export interface Seen {
  /** Observation of the whole decision: its application has the stored status. */
  readonly observation: Observation;
  readonly context: Context;
}

/**
 * Returns the status after a step, with the history of attempts. It ends the record of an attempt
 * that the step ends, and begins the one of an attempt whose intent the step records. The history
 * is part of the write that the step needs anyway.
 */
export function withAttempts(
  before: SparkApplication, status: SparkApplicationStatus, seen: Seen,
): SparkApplicationStatus {
  const after = { ...before, status };
  // Another operator, or a version without this field, has begun the attempt.
  const known = begun(before.status ?? {}, before, undefined, seen);
  const closed = replaceLast(known, (last) => (
    isOpen(last, before) && RESULTS[stateOf(after)] ? ended(current(last, seen), after, seen) : last
  ));
  const next = begun(closed, after, seen.observation.adoptable ? undefined : triggerOf(before), seen);
  return { ...withoutAttemptHistory(status), ...next };
}

/**
 * Adds what is known about the driver and the executors to the record of the active attempt, for a
 * status that is written anyway.
 */
export function withProgress(application: SparkApplication, seen: Seen): SparkApplicationStatus {
  const status = application.status!;
  const known = begun(status, application, undefined, seen);
  const history = replaceLast(known, (last) => (isOpen(last, application) ? current(last, seen) : last));
  return { ...withoutAttemptHistory(status), ...history };
}

/** Returns the status without the history of attempts. */
export function withoutAttemptHistory(
  { attemptHistory: _, omittedAttempts: __, ...status }: SparkApplicationStatus,
): SparkApplicationStatus {
  return status;
}

/**
 * Adds a record of the current attempt if the history has none. Ends the record of an attempt that
 * has ended under another operator, or a version without this field.
 */
function begun(
  { attemptHistory, omittedAttempts }: History, application: SparkApplication, trigger: AttemptTrigger | undefined,
  { observation }: Seen,
): History {
  const { status } = application;
  const last = attemptHistory?.at(-1);
  const result = RESULTS[stateOf(application)];
  if (status && result && last && isOpen(last, application)) {
    return replaceLast({ attemptHistory, omittedAttempts }, (open) => ({ ...open, ...endOf(status, result) }));
  }
  if (!status || !isBegun(application) || last?.submissionID === status.submissionID) return { attemptHistory, omittedAttempts };
  // A specification that is too large to be kept in memory is not known here.
  const submitted = governed({ ...observation, application });
  const requested = isWhole(submitted) ? requestedExecutors(submitted.spec) : undefined;
  const record: AttemptRecord = {
    number: Math.max((last?.number ?? 0) + 1, status.submissionAttempts ?? 1),
    submissionID: status.submissionID!,
    ...(trigger && { trigger }),
    submissionTime: status.lastSubmissionAttemptTime!,
    ...(requested !== undefined && { executors: { requested } }),
  };
  return bounded([...attemptHistory ?? [], result ? { ...record, ...endOf(status, result) } : record], omittedAttempts);
}

/** Returns why the next attempt begins, by the state before it. */
function triggerOf(before: SparkApplication): AttemptTrigger {
  switch (stateOf(before)) {
    case ApplicationState.RESUMING: return AttemptTrigger.RESUME;
    // An edit resets the count of attempts.
    case ApplicationState.PENDING_RERUN:
      return before.status?.submissionAttempts ? AttemptTrigger.RESTART_POLICY : AttemptTrigger.SPEC_CHANGE;
    default: return AttemptTrigger.CREATION;
  }
}

/** Whether a record is that of the active attempt. */
function isOpen(record: AttemptRecord, { status }: SparkApplication): boolean {
  return record.result === undefined && record.submissionID === status?.submissionID;
}

function ended(record: AttemptRecord, { status }: SparkApplication, { observation, context: { now } }: Seen): AttemptRecord {
  const { terminated } = driverOf(record, observation) ?? {};
  const result = RESULTS[status!.applicationState!.state]!;
  return { ...record, ...(terminated && { exitCode: terminated.exitCode }), endTime: rfc3339(now), ...endOf(status!, result) };
}

/** Returns the end that a status records. One that another operator recorded can lack its time. */
function endOf(
  { terminationTime, applicationState }: SparkApplicationStatus, result: AttemptResult,
): Pick<AttemptRecord, 'endTime' | 'result' | 'cause'> {
  if (result === AttemptResult.STOPPED) return { result };
  const cause = result === AttemptResult.COMPLETED ? undefined : applicationState?.errorMessage;
  return {
    ...(terminationTime && { endTime: terminationTime }), result,
    ...(cause && { cause: boundedText(shownCause(cause), MAX_CAUSE) }),
  };
}

/** Adds what is known now. */
function current(record: AttemptRecord, { observation, context: { settings } }: Seen): AttemptRecord {
  const driver = driverOf(record, observation);
  const executors = attemptExecutors(record, observation, settings.maxTrackedExecutors);
  const { nodeName, startTime, terminated, startedAt = terminated?.startedAt } = driver ?? {};
  return {
    ...record,
    ...(driver && { driverPodName: driver.metadata.name }),
    ...(driver?.metadata.creationTimestamp && { driverCreationTime: driver.metadata.creationTimestamp }),
    ...(nodeName && { nodeName }),
    ...(startTime && { driverScheduledTime: startTime }),
    ...(startedAt && { driverStartTime: startedAt }),
    ...(executors && { executors }),
  };
}

function driverOf({ submissionID }: AttemptRecord, { driver }: Observation): PodView | undefined {
  return driver.kind === 'ours' && driver.pod.metadata.labels?.[LABEL_SUBMISSION_ID] === submissionID ? driver.pod : undefined;
}

function replaceLast({ attemptHistory = [], omittedAttempts }: History, change: (last: AttemptRecord) => AttemptRecord): History {
  const last = attemptHistory.at(-1);
  if (!last) return { omittedAttempts };
  const changed = change(last);
  return changed === last ? { attemptHistory, omittedAttempts } : bounded([...attemptHistory.slice(0, -1), changed], omittedAttempts);
}

/** Returns the first attempt, and as many of the latest as the limits allow. */
function bounded([first, ...others]: readonly AttemptRecord[], omitted = 0): History {
  let bytes = bytesOf(first);
  let kept = 0;
  for (const record of [...others].reverse()) {
    bytes += bytesOf(record) + ','.length;
    if (kept > 0 && (kept >= MAX_ATTEMPTS - 1 || bytes > MAX_ATTEMPT_BYTES)) break;
    kept++;
  }
  const omittedAttempts = omitted + others.length - kept;
  return {
    attemptHistory: [first!, ...others.slice(others.length - kept)], ...(omittedAttempts > 0 && { omittedAttempts }),
  };
}
