import { explainDeletion } from './deletion';
import { executorsText, waitText, withWaitRemedy } from './explain-pods';
import { explainDriverGone, explainUnattended } from './explain-unattended';
import { giveUpText, isNotCreated } from './give-up';
import { because, completed, withClause, withoutStop, withRemedy, type Clauses, type Explanation, type ExplanationText } from './explanation';
import type { ObservedPods } from './observed-pods';
import { lacksRoom } from './room';
import { isUnattended } from './unattended';
import { shortDuration, timeUntil } from '../text/duration';
import { RestartPolicyType } from '../api/restart-policy';
import { ApplicationState, isTerminal } from '../api/states';
import type { AttemptExecutors } from '../api/spark-application-status';
import { failedExecutorsText } from '../model/cause/executor-failures';
import { obstacleText } from '../model/cause/obstacle-text';
import { shownCause, shownMessage, type KnownEnd } from '../model/cause/status-cause';
import { hasLostDriver, lastDriver, wasDriverDeleted } from '../model/last-driver';
import { isCurrent, isRerunRequested } from '../model/actions/current';
import { QUEUE_NAME } from '../model/kueue';
import type { PodView } from '../model/pod-view';
import { stateOf, submissionTime, type WholeApplication } from '../model/spark-application';
import { refusedExecutor } from '../model/cause/refused-executor';
import { lacksExecutors, requestedExecutors } from '../model/requested-executors';
import { retryOf } from '../model/restart-policy';

/** Observed state of an application. */
export interface ObservedApplication extends ObservedPods {
  readonly application: WholeApplication;
  /** The driver's Pod, if it was read and exists. @default - only the status is used */
  readonly driver?: PodView;
  /**
   * Whether the pods were read, and the driver's is not among them although the status names it.
   *
   * @default false
   */
  readonly isDriverGone?: boolean;
  /** The end of the log of a driver that failed, or that lacks executors. @default - not read */
  readonly driverLog?: string;
  /** Whether that log was not read, as the user lacks the permission. @default false */
  readonly isLogForbidden?: boolean;
}

/** Explains why an application is pending, runs, or has failed. */
export function explain(observed: ObservedApplication): Explanation {
  return completed(explainObserved(observed));
}

function explainObserved(observed: ObservedApplication): ExplanationText {
  const { application, isDriverGone, operator, now } = observed;
  const deletion = explainDeletion(application, now);
  if (deletion) return isTerminal(stateOf(application)) ? withClause(explainState(observed), 'it is being deleted') : deletion;
  if (isUnattended(application, operator, now)) {
    const cause = isTerminal(stateOf(application)) ? causeOf(observed) : undefined;
    return explainUnattended(observed, cause && withoutStop(cause));
  }
  if (isDriverGone) return explainDriverGone(observed);
  const explanation = explainState(observed);
  // After a rerun the status is that of the previous run until an operator has reconciled it.
  if (!isTerminal(stateOf(application)) || isCurrent(application)) return explanation;
  return withClause(explanation, `${changeOf(application)} since, which no operator has reconciled yet`);
}

function changeOf(application: WholeApplication): string {
  return isRerunRequested(application) ? 'a rerun was requested' : 'its specification has changed';
}

function explainState(observed: ObservedApplication): ExplanationText {
  const { application } = observed;
  const errorMessage = application.status?.applicationState?.errorMessage;
  const message = errorMessage && shownMessage(errorMessage);
  // A retry or a resumption waits like a first attempt.
  if (isNotCreated(application)) return withGiveUp(explainNew(observed, message), observed);
  switch (stateOf(application)) {
    case ApplicationState.NEW: return explainNew(observed, message);
    case ApplicationState.SUBMITTED: return withGiveUp(explainSubmitted(observed, message), observed);
    case ApplicationState.RUNNING: return explainRunning(observed, message);
    case ApplicationState.SUCCEEDING: return withNext({ headline: 'succeeded', sentence: 'The driver has succeeded' }, observed);
    case ApplicationState.COMPLETED: return { headline: 'completed', sentence: `It completed${after(application)}` };
    case ApplicationState.FAILING: return withRemedy({
      headline: 'failed, to be tried again',
      ...because(`${attempt(application)} failed`, causeOf(observed) ?? 'no reason is known', nextAttempt(observed)),
    }, causeOf(observed), whereToLook(observed));
    case ApplicationState.FAILED: return withRemedy({
      headline: 'failed', ...because(`It failed${after(application)}`, causeOf(observed) ?? 'no reason is known'),
    }, causeOf(observed), whereToLook(observed));
    case ApplicationState.SUBMISSION_FAILED: return withRemedy({
      headline: 'could not be submitted',
      ...because('The driver could not be created', obstacleText(message ?? 'no reason is known'), nextAttempt(observed)),
    }, message);
    case ApplicationState.UNKNOWN: return withRemedy({
      headline: 'state unknown', ...because("Kubernetes does not know the driver's state", message ?? 'its node might be unreachable'),
    }, message);
    case ApplicationState.PENDING_RERUN: return {
      headline: 'about to be restarted',
      ...withReason('The objects of the last attempt are being removed, then it is restarted', message),
    };
    case ApplicationState.INVALIDATING: return {
      headline: 'about to be restarted',
      ...withReason(
        isRerunRequested(application) ? 'A rerun was requested: the objects of the previous run are being removed, then it starts'
          : 'Its specification was changed: the objects of the old one are being removed, then it is restarted',
        message,
      ),
    };
    case ApplicationState.SUSPENDING: return {
      headline: 'being suspended', ...withReason('Its objects in the cluster are being removed', message),
    };
    case ApplicationState.SUSPENDED: return explainSuspended(application);
    case ApplicationState.RESUMING: return { headline: 'resuming', ...withReason('It is about to be submitted again', message) };
    default: return {
      headline: stateOf(application),
      sentence: `It is in state ${stateOf(application)}, which a later version of the operator has written`,
      remedy: 'use the sparkctl of that version',
    };
  }
}

/** Whether the driver of the last attempt never had a log, or its pod was deleted with it. */
export function hasNoLog({ application, driver, executors }: ObservedApplication): boolean {
  const progress = lastDriver(application);
  const isDeleted = executors !== undefined && driver === undefined;
  return isDeleted || hasLostDriver(application) || wasDriverDeleted(application) || progress === 'absent' || progress === 'unstarted';
}

/** Returns the cause of a failure in one line. @returns undefined if none is known */
export function causeOf(observed: ObservedApplication): string | undefined {
  const message = observed.application.status?.applicationState?.errorMessage;
  if (!message) return undefined;
  const cause = shownCause(message, knownEnd(observed));
  const failures = TOO_MANY_FAILED.test(cause) ? failedExecutorsText(lastExecutors(observed)) : undefined;
  return failures === undefined ? cause : `${withoutStop(cause)}; ${failures}`;
}

/** Causes of a driver that Spark ended because its executors failed. */
const TOO_MANY_FAILED = /Max number of executor failures|too many executors failed/;

/** Whether executors failed until Spark ended the driver. */
export function hasTooManyFailed(observed: ObservedApplication): boolean {
  return TOO_MANY_FAILED.test(causeOf(observed) ?? '');
}

/** Returns the executors of the last attempt, as its record has them. */
export function lastExecutors({ application: { status } }: ObservedApplication): AttemptExecutors | undefined {
  return status?.attemptHistory?.at(-1)?.executors;
}

/** Returns the facts about the end of the last attempt that the status does not have. */
export function knownEnd({ application, driver, driverLog }: ObservedApplication): KnownEnd {
  return { spec: application.spec, memoryLimit: driver?.terminated?.memoryLimit, log: driverLog };
}

/**
 * Returns why the API server refuses executors of a running application, as its driver logged it.
 *
 * @returns undefined if it has its executors, or the log was not read
 */
export function refusalOf({ application, driverLog, now }: ObservedApplication): string | undefined {
  return driverLog !== undefined && lacksExecutors(application, now) ? refusedExecutor(driverLog) : undefined;
}

function explainNew(
  { application: { metadata: { namespace } }, operator }: ObservedApplication, message: string | undefined,
): ExplanationText {
  if (message) {
    const text = obstacleText(message);
    const [, reason] = /^driver cannot be created yet: (.+)$/s.exec(text) ?? [];
    const why = reason !== undefined ? because('The driver cannot be created yet', reason)
      : text.startsWith('driver ') ? { sentence: `The ${text}` } : because('It is not submitted yet', text);
    return withRemedy({ headline: 'not submitted yet', ...why }, message);
  }
  // Without evidence that an operator runs it might never be submitted.
  const sentence = operator?.isActive ? 'It is about to be submitted' : `It waits for an operator of the namespace ${namespace} to submit it`;
  return { headline: 'new', sentence };
}

function explainSubmitted({ application, driver, room, now }: ObservedApplication, message: string | undefined): ExplanationText {
  const { reason, ...text } = waitText({
    role: 'driver', reason: message, pod: driver,
    since: submissionTime(application), now,
  });
  const explanation = { headline: 'waits for its driver', ...text };
  return withWaitRemedy(explanation, reason, room);
}

function withGiveUp(explanation: ExplanationText, observed: ObservedApplication): ExplanationText {
  const giveUp = giveUpText(observed, observed.now);
  return giveUp === undefined ? explanation : withClause(explanation, giveUp);
}

function explainRunning(observed: ObservedApplication, message: string | undefined): ExplanationText {
  const { application, driver, executors: pods, waiting, room } = observed;
  const { clause, running, pending, stuck } = executorsText(
    pods ?? Object.values(application.status?.executorState ?? {}), requestedExecutors(application.spec), pods ?? waiting,
    refusalOf(observed),
  );
  const headline = pending === 0 && !stuck ? 'runs' : running === 0 ? 'waits for executors' : 'runs, and waits for more executors';
  const [runs, executors] = [driver?.metadata.deletionTimestamp ? 'The driver is being deleted' : 'The driver runs', message ? `${clause}: ${message}` : clause];
  const explanation: ExplanationText = {
    headline, sentence: `${runs}; ${executors}`, clauses: stuck === undefined ? [runs, executors] : [executors, runs],
  };
  const failed = failedExecutorsText(lastExecutors(observed));
  if (failed === undefined || stuck !== undefined) return withWaitRemedy(explanation, stuck, lacksRoom(stuck) ? room : undefined);
  return withRemedy(withClause(explanation, failed), running === 0 ? failed : undefined);
}

function explainSuspended({ metadata }: WholeApplication): ExplanationText {
  const [place, queue] = [`-n ${metadata.namespace}`, metadata.labels?.[QUEUE_NAME]];
  if (queue === undefined) {
    return { headline: 'suspended', sentence: 'It is suspended and has no pods', remedy: `sparkctl resume ${metadata.name} ${place}` };
  }
  const sentence = `It waits until Kueue admits it to its queue ${queue}`;
  return { headline: 'waits in its queue', sentence, remedy: `kubectl get workloads ${place}` };
}

/** Returns when the next attempt starts, as a clause. @returns undefined if none does */
function nextAttempt({ application, now }: ObservedApplication): string | undefined {
  const retry = retryOf(application, now);
  if (!retry) return undefined;
  return retry.dueIn > 0 ? `it is tried again in ${timeUntil(retry.dueIn)}` : 'it is about to be tried again';
}

function withNext(explanation: ExplanationText, observed: ObservedApplication): ExplanationText {
  const next = nextAttempt(observed);
  return next === undefined ? explanation : withClause(explanation, next);
}

/** Returns the number of the attempt, and of how many if each of them had a driver. */
function attempt({ spec: { restartPolicy: { type, onFailureRetries = 0 } = {} }, status }: WholeApplication): string {
  const { submissionAttempts = 1, executionAttempts } = status ?? {};
  const isLimited = type === RestartPolicyType.ON_FAILURE && submissionAttempts === executionAttempts;
  return `Attempt ${submissionAttempts}${isLimited ? ` of ${onFailureRetries + 1}` : ''}`;
}

/** Returns how to see more about a failure. */
function whereToLook(observed: ObservedApplication): string {
  const { application, isLogForbidden } = observed;
  const isMissing = hasNoLog(observed);
  if (isLogForbidden && !isMissing) {
    return `ask for the permission to read the driver's log (get pods and pods/log in ${application.metadata.namespace}): `
      + 'it was not searched for the cause';
  }
  return `sparkctl ${isMissing ? 'event' : 'log'} ${nameOf(application)}`;
}

/**
 * Returns the number of attempts, and the duration of the last one. The creation of the application
 * is no begin: it can be that of a run long before a rerun.
 */
function after(application: WholeApplication): string {
  const { status } = application;
  const lasted = Date.parse(status?.terminationTime ?? '') - Date.parse(status?.lastSubmissionAttemptTime ?? '');
  // The end of a lost driver is unknown: the status has the time when an operator noticed it.
  const duration = Number.isFinite(lasted) && !hasLostDriver(application) ? shortDuration(lasted) : undefined;
  const attempts = status?.submissionAttempts ?? 0;
  if (attempts > 1) return ` after ${attempts} attempts${duration === undefined ? '' : `, the last one of ${duration}`}`;
  return duration === undefined ? '' : ` after ${duration}`;
}

function withReason(fact: string, message: string | undefined): Clauses {
  return message ? { sentence: `${fact}: ${message}`, clauses: [fact, message] } : { sentence: fact };
}

function nameOf({ metadata }: WholeApplication): string {
  return `${metadata.name} -n ${metadata.namespace}`;
}
