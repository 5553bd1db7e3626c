import { truncate } from './truncate';
import { ANNOTATION_SCHEDULED_AT } from '../../api/labels';
import { ConcurrencyPolicy } from '../../api/scheduled-spark-application';
import type { RunRecord } from '../../api/scheduled-spark-application-status';
import { ApplicationState, AttemptResult, ExecutorState, isTerminal } from '../../api/states';
import type { ObservedApplication } from '../../explain/explain';
import { idleSchedule } from '../../explain/idle-schedule';
import { shortReason, slowTimes } from '../../explain/short-reason';
import { isAtRest } from '../../explain/unattended';
import type { KubeObject } from '../../kube/objects';
import { attemptsOfRun } from '../../model/attempts';
import { shownCause } from '../../model/cause/status-cause';
import { requestedExecutors } from '../../model/requested-executors';
import { concurrencyPolicyOf, scheduleKeyOf, timeIn, type ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { stateOf, type WholeApplication } from '../../model/spark-application';
import type { ApplicationRow, ExecutorCounts, FinishedRun, ScheduleRow } from '../wire';

/** Maximum length of a text in a row, in characters; the details have the whole text. */
const MAX_TEXT = 300;

/** The same for the reason of a schedule, which has no details. */
const MAX_REASON = 1_024;

/** Maximum number of labels in a row: the list has thousands of rows. */
const MAX_LABELS = 24;

/**
 * Converts an application to its row in the list.
 *
 * @param now milliseconds since 1970
 * @param observed facts for the reason of its state @default - the application
 */
export function applicationRow(
  application: WholeApplication, now: number, observed: ObservedApplication = { application, now },
): ApplicationRow {
  const { metadata, spec, status } = application;
  const schedule = scheduleKeyOf(application);
  const executors = countsOf(Object.values(status?.executorState ?? {}));
  const reason = status?.applicationState?.errorMessage;
  const short = shortReason(observed);
  const slowAt = short.needsAttention ? undefined : slowTimes(application).find((time) => (
    time >= now && shortReason({ ...observed, now: time + 1 }).needsAttention
  ));
  return defined<ApplicationRow>({
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid,
    state: stateOf(application),
    changed: isStill(stateOf(application)) && !isAtRest(application) ? true : undefined,
    reconciled: status && stateOf(application) === '' ? true : undefined,
    reason: reason ? shownCause(reason) : undefined,
    shortReason: short.text,
    attention: short.needsAttention ? true : undefined,
    slow: slowAt === undefined ? undefined : { at: slowAt, reason: shortReason({ ...observed, now: slowAt + 1 }).text ?? '' },
    retryAt: short.retryAt,
    created: timeIn(metadata.creationTimestamp) ?? 0,
    begun: timeIn(status?.lastSubmissionAttemptTime),
    ended: timeIn(status?.terminationTime),
    attempts: attemptsOfRun(application),
    executors,
    requested: requestedExecutors(spec),
    type: spec.type,
    sparkVersion: spec.sparkVersion,
    labels: labelsOf(application),
    schedule: schedule?.slice(schedule.indexOf('/') + 1),
    scheduledAt: timeIn(metadata.annotations?.[ANNOTATION_SCHEDULED_AT]),
    suspended: spec.suspend ? true : undefined,
    deleting: metadata.deletionTimestamp ? true : undefined,
  });
}

/** Whether a state needs no operator until the application changes. */
function isStill(state: ApplicationState): boolean {
  return isTerminal(state) || state === ApplicationState.SUSPENDED;
}

/** Converts a schedule to its row in the list. */
export function scheduleRow(schedule: ScheduledSparkApplication): ScheduleRow {
  const { metadata, spec, status } = schedule;
  const policy = concurrencyPolicyOf(spec);
  const idle = idleSchedule(schedule);
  const row = defined<ScheduleRow>({
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid,
    created: timeIn(metadata.creationTimestamp) ?? 0,
    schedule: spec.schedule,
    timeZone: spec.timeZone,
    suspended: spec.suspend ? true : undefined,
    concurrencyPolicy: policy === ConcurrencyPolicy.ALLOW ? undefined : policy,
    lastRun: timeIn(status?.lastRun),
    lastRunName: status?.lastRunName,
    finished: finishedOf(status?.runHistory),
    // The time in the status of an invalid one is of an earlier schedule.
    nextRun: spec.suspend || idle?.words === 'invalid' ? undefined : timeIn(status?.nextRun),
    state: status?.scheduleState ?? '',
    shortReason: idle?.words,
    labels: labelsOf({ metadata }),
  });
  return idle ? { ...row, reason: truncate(idle.sentence, MAX_REASON) } : row;
}

function finishedOf(records: readonly RunRecord[] = []): readonly FinishedRun[] | undefined {
  if (records.length === 0) return undefined;
  return records.map(({ name, scheduledTime, startTime, endTime, result, cause }) => defined<FinishedRun>({
    name,
    scheduledAt: timeIn(scheduledTime),
    created: timeIn(startTime) ?? 0,
    ended: timeIn(endTime),
    state: result === AttemptResult.COMPLETED ? 'COMPLETED' : 'FAILED',
    cause: cause && shownCause(cause),
  }));
}

/** Counts executors by state; undefined without executors. */
export function countsOf(states: readonly string[]): ExecutorCounts | undefined {
  if (states.length === 0) return undefined;
  const count = (wanted: ExecutorState) => states.filter((state) => state === wanted).length;
  const unknown = count(ExecutorState.UNKNOWN);
  return {
    pending: count(ExecutorState.PENDING),
    running: count(ExecutorState.RUNNING),
    completed: count(ExecutorState.COMPLETED),
    failed: count(ExecutorState.FAILED),
    ...(unknown > 0 && { unknown }),
  };
}

function labelsOf({ metadata: { labels } }: KubeObject): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(labels ?? {});
  return entries.length === 0 ? undefined : Object.fromEntries(entries.slice(0, MAX_LABELS));
}

/**
 * Returns a row without undefined fields, so that equal rows have equal JSON, and truncates long
 * texts.
 */
function defined<T extends object>(object: { readonly [field in keyof T]: T[field] | undefined }): T {
  const fields = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [name, typeof value === 'string' ? truncate(value, MAX_TEXT) : value])) as T;
}
