import { SparkConnectState } from '../../api/spark-connect-status';
import { obstacleText } from '../../model/cause/obstacle-text';
import { shownCause } from '../../model/cause/status-cause';
import { podState } from '../../model/pod-view';
import { stateOf, type SparkConnect } from '../../model/spark-connect';
import type { ConditionReason } from '../../model/spark-connect-conditions';
import { inWordsOfConnect } from '../../plan/connect/as-application';
import { isRestarted, untilRestart } from '../../plan/connect/restart';
import { shortDuration, timeUntil } from '../../text/duration';
import { explainDeletion } from '../deletion';
import { executorsText, waitText, withWaitRemedy } from '../explain-pods';
import { inTime } from '../give-up';
import { explainStale, podGone, podText, staleState, type UnattendedText } from '../explain-unattended';
import { because, completed, withClause, withRemedy, type Explanation, type ExplanationText } from '../explanation';
import { lacksRoom } from '../room';
import {
  connectRefusalOf, connectStateTime, isConnectAtRest, isConnectUnattended, NOT_STARTED, serverCondition, sideProblem, waitingSince,
  wantedExecutors, type ObservedConnect,
} from './observed';

/** The operator's words after the cause of an end. */
const RESTARTED = /; it is started again after \d+ s$/;

/** The operator's words about a server that runs. */
const SILENT = 'the server does not take connections';

/**
 * Explains why a Spark Connect server is pending, runs, or has failed. Reasons and remedies are
 * those of applications, with the field names of a SparkConnect.
 */
export function explainConnect(observed: ObservedConnect): Explanation {
  const { remedy, ...others } = completed(explainObserved(observed));
  return { ...others, ...(remedy !== undefined && { remedy: inWordsOfConnect(remedy) }) };
}

function explainObserved(observed: ObservedConnect): ExplanationText {
  const { connect, isServerGone, now } = observed;
  const deletion = explainDeletion(connect, now);
  if (deletion) return stateOf(connect) === SparkConnectState.FAILED ? withClause(explainState(observed), 'it is being deleted') : deletion;
  if (isConnectUnattended(observed)) return explainUnattended(observed);
  if (connect.spec.suspend && !isConnectAtRest(connect)) return { headline: 'being suspended', sentence: 'It is being suspended' };
  if (isServerGone) return explainServerGone(observed);
  const explanation = explainState(observed);
  if (stateOf(connect) === SparkConnectState.FAILED && !isConnectAtRest(connect)) {
    return withClause(explanation, 'its specification has changed since, which no operator has reconciled yet');
  }
  const side = stateOf(connect) === SparkConnectState.SUSPENDED || isRejected(connect) ? undefined : sideProblem(connect);
  if (!side) return explanation;
  return { ...withClause(explanation, side.clause), remedy: explanation.remedy ?? side.remedy };
}

function explainUnattended(observed: ObservedConnect): UnattendedText {
  const { connect, server, isServerGone, now } = observed;
  const state = stateOf(connect);
  return explainStale(connect, observed, 'started', state === SparkConnectState.NEW ? undefined
    : `${staleState(state, connectStateTime(connect), now)}${requestText(connect)}${podText('server', server, isServerGone)}`);
}

/** Returns the request that an operator has yet to handle, as the rest of a sentence. */
function requestText(connect: SparkConnect): string {
  if (connect.spec.suspend) return '; its suspension was requested since';
  if (stateOf(connect) === SparkConnectState.SUSPENDED) return '; it was resumed since';
  return stateOf(connect) === SparkConnectState.FAILED ? '; its specification has changed since' : '';
}

function explainServerGone({ connect, operator, now }: ObservedConnect): UnattendedText {
  const pod = `The pod ${connect.status?.server?.podName} of the server`;
  const writtenAt = Date.parse(connect.status?.lastUpdateTime ?? '');
  return { headline: 'lost its server', ...podGone(connect, pod, Number.isFinite(writtenAt) ? writtenAt : undefined, operator, now) };
}

function explainState(observed: ObservedConnect): ExplanationText {
  const { connect, operator } = observed;
  const { namespace } = connect.metadata;
  switch (stateOf(connect)) {
    case SparkConnectState.NEW: return {
      headline: 'new', sentence: operator?.isActive ? 'It is about to be started' : `It waits for an operator of the namespace ${namespace} to start it`,
    };
    case SparkConnectState.PROVISIONING:
    case SparkConnectState.NOT_READY: return explainUnready(observed);
    case SparkConnectState.READY: return explainReady(observed);
    case SparkConnectState.FAILED: return explainFailed(observed);
    case SparkConnectState.SUSPENDED: return connect.spec.suspend
      ? { headline: 'suspended', sentence: 'It is suspended and has no pods', remedy: `set spec.suspend to false: \`${edit(connect)}\`` }
      : { headline: 'resuming', sentence: 'It is about to be started again' };
    default: return {
      headline: stateOf(connect),
      sentence: `It is in state ${stateOf(connect)}, which a later version of the operator has written`,
      remedy: 'use the sparkctl of that version',
    };
  }
}

function explainUnready(observed: ObservedConnect): ExplanationText {
  const { connect, server, now } = observed;
  const { reason, message = '', lastTransitionTime = '' } = serverCondition(connect);
  switch (reason as ConditionReason | undefined) {
    case 'ServerEnded': return explainEnd(observed, message.replace(RESTARTED, ''));
    case 'ServerNotStarted': return explainWait(observed, message.replace(NOT_STARTED, ''));
    case 'ServerNotAnswering': {
      const why = message === SILENT ? '' : `: ${message}`;
      const sentence = `The server has accepted no connections for ${shortDuration(now - Date.parse(lastTransitionTime))}${why}`;
      return { headline: 'does not answer', sentence, remedy: whereToLook(observed) };
    }
    case 'ServerNotCreated': {
      const explanation = { headline: 'waits for its server', sentence: capitalized(obstacleText(message)) };
      return withRemedy(withGiveUp(explanation, observed), message);
    }
    case 'ServerPodNotReady': if (server && podState(server) === 'PENDING') return afterEnds(connect, explainWait(observed));
  }
  const sentence = message === SILENT ? 'The server has started, and accepts no connections yet' : capitalized(message || 'the server is starting');
  return afterEnds(connect, { headline: 'waits for its server', sentence });
}

/**
 * Returns the explanation of a start with the number of starts before it that have ended soon. Its
 * log will have the cause, which events do not always have.
 */
function afterEnds({ metadata: { name, namespace }, status }: SparkConnect, explanation: ExplanationText): ExplanationText {
  const { restarts = 0 } = status ?? {};
  if (restarts === 0 || explanation.remedy !== undefined) return explanation;
  const restarted = `it was restarted ${restarts === 1 ? 'once' : `${restarts} times`}`;
  return { ...withClause(explanation, restarted), remedy: `sparkctl log connect/${name} -n ${namespace} --follow` };
}

function explainWait(observed: ObservedConnect, known?: string): ExplanationText {
  const { server, room, now } = observed;
  const { reason, ...text } = waitText({ role: 'server', reason: known, pod: server, since: waitingSince(observed), now });
  const explanation = { headline: 'waits for its server', ...text };
  return withWaitRemedy(withGiveUp(explanation, observed), reason, room);
}

/** Adds when the operator gives up on a server that does not start, or starts another one. */
function withGiveUp(explanation: ExplanationText, { connect, now }: ObservedConnect): ExplanationText {
  const left = Date.parse(connect.status?.startDeadlineTime ?? '') - now;
  if (!Number.isFinite(left)) return explanation;
  return withClause(explanation, `the operator gives up ${inTime(left)}${isRestarted(connect.spec) ? ', and starts it again' : ''}`);
}

function explainReady(observed: ObservedConnect): ExplanationText {
  const { connect, executors, waiting, room, now } = observed;
  const { lastTransitionTime = '' } = serverCondition(connect);
  const since = Date.parse(lastTransitionTime);
  const known = executors ?? Object.entries(connect.status?.executors ?? {}).flatMap(([phase, count]) => (
    Array<string>(count).fill(phase.toUpperCase())
  ));
  const { clause, pending, stuck } = executorsText(known, wantedExecutors(connect), executors ?? waiting, connectRefusalOf(observed));
  const explanation = {
    headline: pending === 0 && !stuck ? 'runs' : 'runs, and waits for executors',
    sentence: `The server has accepted connections${Number.isFinite(since) ? ` for ${shortDuration(now - since)}` : ''}; ${clause}`,
  };
  return withWaitRemedy(explanation, stuck, lacksRoom(stuck) ? room : undefined);
}

function explainEnd(observed: ObservedConnect, message: string): ExplanationText {
  const cause = causeOf(message);
  const due = untilRestart(observed.connect, observed.now);
  const next = due > 0 ? `it is started again in ${timeUntil(due)}` : 'it is about to be started again';
  const what = message.startsWith(NOT_STARTED) ? 'The server did not start' : 'The server has ended';
  const explanation = { headline: 'ended, to be started again', ...because(what, cause, next) };
  return withRemedy(explanation, asOfDriver(cause), whereToLook(observed));
}

function explainFailed(observed: ObservedConnect): ExplanationText {
  const { connect } = observed;
  const { message = 'no reason is known' } = serverCondition(connect);
  if (isRejected(connect)) {
    return { headline: 'rejected', ...because('Its specification is rejected', message), remedy: `correct it: \`${edit(connect)}\`` };
  }
  const cause = causeOf(message);
  const explanation = { headline: 'failed', ...because('It failed, and is not started again until it is edited', cause) };
  return withRemedy(explanation, asOfDriver(cause), whereToLook(observed));
}

/** Whether the specification is rejected, and no server runs. */
function isRejected(connect: SparkConnect): boolean {
  return stateOf(connect) === SparkConnectState.FAILED && serverCondition(connect).reason === 'SpecRefused';
}

/** Returns the cause of an end without the operator's words around it. */
function causeOf(message: string): string {
  return shownCause(message.replace(NOT_STARTED, ''));
}

/** Returns a cause as that of a driver, by which remedies are known. */
function asOfDriver(cause: string): string {
  return cause.replace(/\bserver(?='s container| ended)/g, 'driver');
}

/** Returns the command that shows more about an end. */
function whereToLook({ connect: { metadata: { name, namespace } }, server }: ObservedConnect): string {
  const hasLog = server?.terminated !== undefined || server?.startedAt !== undefined;
  return `sparkctl ${hasLog ? 'log' : 'event'} connect/${name} -n ${namespace}`;
}

function edit({ metadata: { name, namespace } }: SparkConnect): string {
  return `sparkctl edit connect/${name} -n ${namespace}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
