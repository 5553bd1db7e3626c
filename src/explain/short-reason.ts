import { causeClass } from '../model/cause/cause-class';
import { failedExecutorsWords } from '../model/cause/executor-failures';
import { causeOf, hasTooManyFailed, lastExecutors, refusalOf, type ObservedApplication } from './explain';
import { shortDeletion, USUAL_DELETION } from './deletion';
import { failedStartWords, obstacleWords } from './obstacle-words';
import { isAtRest, isUnattended } from './unattended';
import { ApplicationState, ExecutorState, isTerminal } from '../api/states';
import { isRerunRequested } from '../model/actions/current';
import { QUEUE_NAME } from '../model/kueue';
import { reasonWithMessage } from '../model/obstacle';
import type { OperatorPresence } from '../model/operator-presence';
import { podState, type PodView } from '../model/pod-view';
import { requestedExecutors, runningSince } from '../model/requested-executors';
import { retryOf } from '../model/restart-policy';
import { stateOf, submissionTime } from '../model/spark-application';
import { timeUntil } from '../text/duration';

/** State of an application in a few words, for lists. */
export interface ShortReason {
  /**
   * Reason of the state, such as `ImagePullBackOff` or `1 executor unschedulable`. It can contain
   * text from the cluster, and is not escaped.
   *
   * @default - there is none, or it is unknown
   */
  readonly text?: string;
  /** Whether the application failed recently or does not progress. */
  readonly needsAttention: boolean;
  /**
   * Time of the next attempt, in milliseconds since 1970. `text` does not contain it.
   *
   * @default - none
   */
  readonly retryAt?: number;
}

/** Milliseconds for which a failed application needs attention. */
export const RECENT_FAILURE = 86_400_000;

/** Milliseconds after which executors, or a driver in preparation, should have started. */
const SLOW = 120_000;

/** Milliseconds after which an application or server that runs should have an executor. */
export const NO_EXECUTORS = 300_000;

/** Reasons of waiting pods that only need time. */
const PREPARING = new Set(['ContainerCreating', 'PodInitializing', 'Unscheduled']);

/** Words of executors for which no node has room. */
const UNSCHEDULABLE = /^(?:Unschedulable$|no node |untolerated taint )/;

/** State that progresses, or needs nothing. */
export const CALM: ShortReason = { needsAttention: false };

/** Returns the state of an application in a few words, and whether it needs attention. */
export function shortReason(observed: ObservedApplication): ShortReason {
  const { application, operator, now } = observed;
  const state = stateOf(application);
  const { errorMessage: message } = application.status?.applicationState ?? {};
  const deletion = shortDeletion(application, now);
  if (deletion) return deletion;
  if (isTerminal(state) && isAtRest(application)) return state === ApplicationState.FAILED ? failed(observed, message) : CALM;
  const queue = application.metadata.labels?.[QUEUE_NAME];
  if (application.spec.suspend && (isAtRest(application) || state === ApplicationState.NEW)) {
    return queue === undefined ? CALM : { text: `waits in queue ${queue}`, needsAttention: false };
  }
  return isUnattended(application, operator, now) ? { text: unattendedWords(observed), needsAttention: true } : stateReason(observed);
}

/** Returns the reason of a state that the status and the pods show. */
function stateReason(observed: ObservedApplication): ShortReason {
  const state = stateOf(observed.application);
  const { errorMessage: message } = observed.application.status?.applicationState ?? {};
  switch (state) {
    case ApplicationState.SUBMITTED: return submitted(observed, message);
    case ApplicationState.RUNNING: return running(observed);
    case ApplicationState.FAILING:
    case ApplicationState.SUBMISSION_FAILED: return failing(observed, message);
    case ApplicationState.COMPLETED:
    case ApplicationState.FAILED: return { text: 'is about to run again', needsAttention: false };
    case ApplicationState.UNKNOWN: return { text: nodeWords(message), needsAttention: true };
    default: return message ? { text: obstacleWords(message), needsAttention: true } : CALM;
  }
}

/**
 * Returns that no operator runs, and what its absence hides or delays. An operator of which nothing
 * is known might have a long queue.
 */
export function withoutOperator(operator: OperatorPresence | undefined, hidden: string | undefined): string {
  return [operator?.isActive === false ? 'no operator' : 'not reconciled', hidden].filter((words) => words !== undefined).join(', ');
}

function unattendedWords(observed: ObservedApplication): string {
  const { application, isDriverGone, operator } = observed;
  const state = stateOf(application);
  if (isDriverGone) return withoutOperator(operator, 'driver is gone');
  if (state === ApplicationState.SUSPENDED) return withoutOperator(operator, 'resume requested');
  if (isTerminal(state)) return withoutOperator(operator, isRerunRequested(application) ? 'rerun requested' : undefined);
  const { text, needsAttention } = stateReason(observed);
  return withoutOperator(operator, application.spec.suspend ? 'suspension requested' : needsAttention ? text : undefined);
}

/**
 * Returns the times after which an application might need attention if nothing changes until then,
 * in milliseconds since 1970, the earliest first.
 */
export function slowTimes(application: ObservedApplication['application']): readonly number[] {
  const deletion = Date.parse(application.metadata.deletionTimestamp ?? '') + USUAL_DELETION;
  const times = [submissionTime(application) + SLOW, runningSince(application.status) + NO_EXECUTORS, deletion];
  return times.filter(Number.isFinite).sort((a, b) => a - b);
}

/** Returns the words of a reason, with the time until the next attempt; undefined without words. */
export function reasonText({ text, retryAt }: ShortReason, now: number): string | undefined {
  const retry = retryAt === undefined ? undefined : retryAt > now ? `retries in ${timeUntil(retryAt - now)}` : 'retries now';
  return [text, retry].filter((words) => words !== undefined).join(', ') || undefined;
}

/** Returns the words of a failure: those of its log, if that was read and the status has none. */
function failureWords(observed: ObservedApplication, message = ''): string | undefined {
  const { group, words } = causeClass(message);
  const executors = hasTooManyFailed(observed) ? failedExecutorsWords(lastExecutors(observed)) : undefined;
  if (executors !== undefined) return executors;
  const logged = group === 'ExitCode' && observed.driverLog !== undefined ? causeClass(causeOf(observed)).words : undefined;
  return failedStartWords(message) ?? logged ?? words;
}

function failed(observed: ObservedApplication, message: string | undefined): ShortReason {
  const { application: { status }, now } = observed;
  const text = failureWords(observed, message);
  const isRecent = !(now - Date.parse(status?.terminationTime ?? '') > RECENT_FAILURE);
  return { ...(text !== undefined && { text }), needsAttention: isRecent };
}

function failing(observed: ObservedApplication, message: string | undefined): ShortReason {
  const { application, now } = observed;
  const text = failureWords(observed, message);
  const { dueIn } = retryOf(application, now) ?? {};
  return { ...(text !== undefined && { text }), needsAttention: true, ...(dueIn !== undefined && { retryAt: now + dueIn }) };
}

function submitted({ application, driver, isDriverGone, now }: ObservedApplication, message: string | undefined): ShortReason {
  if (isDriverGone) return { text: 'driver is gone', needsAttention: true };
  return waitingReason(message, driver, submissionTime(application), now);
}

/**
 * Returns why a driver or server does not start.
 *
 * @param message that of the status @default - the reason of the pod
 * @param since begin of the wait, in milliseconds since 1970; NaN if unknown
 */
export function waitingReason(message: string | undefined, pod: PodView | undefined, since: number, now: number): ShortReason {
  const text = message ? obstacleWords(message) : pod?.obstacle && wordsOf(pod);
  return text === undefined ? CALM : { text, needsAttention: !PREPARING.has(text) || now - since > SLOW };
}

function running(observed: ObservedApplication): ShortReason {
  const { application, driver, executors, waiting: pending, isDriverGone, now } = observed;
  if (isDriverGone) return { text: 'driver is gone', needsAttention: true };
  if (driver?.metadata.deletionTimestamp) return { text: 'driver is being deleted', needsAttention: true };
  const waiting = (executors ?? pending)?.filter((pod) => podState(pod) === 'PENDING');
  const states = Object.values(application.status?.executorState ?? {});
  const count = waiting?.length ?? states.filter((each) => each === 'PENDING').length;
  const isSlow = !states.includes(ExecutorState.RUNNING) && needsExecutors(application, now);
  const reason = executorsReason(waiting, refusalOf(observed), count, isSlow, now);
  // Without any that Spark removed, which can be idle ones.
  const haveFailed = states.every((each) => each === ExecutorState.FAILED || each === ExecutorState.PENDING)
    && states.includes(ExecutorState.FAILED) && !executors?.some((pod) => podState(pod) === ExecutorState.RUNNING);
  const failure = haveFailed ? failedExecutorsWords(lastExecutors(observed)) : undefined;
  if (failure !== undefined && !reason?.needsAttention) return { text: failure, needsAttention: true };
  return reason ?? (states.length === 0 && needsExecutors(application, now) ? { text: 'no executors', needsAttention: true } : CALM);
}

/**
 * Returns why executors do not start; undefined if none waits.
 *
 * @param waiting pending executors @default - unknown
 * @param refusal why the API server rejects more
 * @param count number of pending ones
 * @param isSlow whether they have waited for long, if their pods are unknown
 */
export function executorsReason(
  waiting: readonly PodView[] | undefined, refusal: string | undefined, count: number, isSlow: boolean, now: number,
): ShortReason | undefined {
  const stuck = waiting && mostFrequent(waiting.filter(({ obstacle }) => obstacle).map(wordsOf));
  if (stuck) {
    const [words, number] = stuck;
    const what = `${number} ${number === 1 ? 'executor' : 'executors'}`;
    return { text: UNSCHEDULABLE.test(words) ? `${what} unschedulable` : `${what}: ${words}`, needsAttention: true };
  }
  if (refusal !== undefined) return { text: `executors: ${obstacleWords(refusal)}`, needsAttention: true };
  if (count === 0) return undefined;
  const needsAttention = waiting?.some(({ metadata }) => now - Date.parse(metadata.creationTimestamp ?? '') > SLOW) ?? isSlow;
  return { text: `${count} ${count === 1 ? 'executor' : 'executors'} pending`, needsAttention };
}

/** Whether an application has run for long and requests executors. */
function needsExecutors({ spec, status }: ObservedApplication['application'], now: number): boolean {
  return Boolean(requestedExecutors(spec)) && now - runningSince(status) > NO_EXECUTORS;
}

function wordsOf({ obstacle }: PodView): string {
  return obstacleWords(reasonWithMessage(obstacle!));
}

function mostFrequent(words: readonly string[]): readonly [words: string, count: number] | undefined {
  const counts = new Map<string, number>();
  for (const each of words) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0];
}

/** Returns why the state of a pod is unknown. */
export function nodeWords(message: string | undefined): string {
  return message === undefined || /unreachable|NodeLost/i.test(message) ? 'node is unreachable' : obstacleWords(message);
}
