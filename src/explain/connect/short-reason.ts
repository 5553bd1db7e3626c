import { SparkConnectState } from '../../api/spark-connect-status';
import { causeClass } from '../../model/cause/cause-class';
import { podState } from '../../model/pod-view';
import { stateOf } from '../../model/spark-connect';
import type { ConditionReason } from '../../model/spark-connect-conditions';
import { untilRestart } from '../../plan/connect/restart';
import { shortDeletion } from '../deletion';
import { obstacleWords } from '../obstacle-words';
import { CALM, executorsReason, NO_EXECUTORS, nodeWords, waitingReason, withoutOperator, type ShortReason } from '../short-reason';
import {
  connectRefusalOf, isConnectAtRest, isConnectUnattended, serverCondition, sideProblem, waitingSince, wantedExecutors, type ObservedConnect,
} from './observed';

/**
 * Returns the state of a Spark Connect server in a few words, and whether it needs attention: it
 * should accept connections, and cannot.
 */
export function shortConnectReason(observed: ObservedConnect): ShortReason {
  const { connect, isServerGone, now } = observed;
  const state = stateOf(connect);
  const deletion = shortDeletion(connect, now);
  if (deletion) return deletion;
  if (isConnectAtRest(connect)) return state === SparkConnectState.FAILED ? failed(observed) : CALM;
  if (isConnectUnattended(observed)) return { text: unattendedWords(observed), needsAttention: true };
  if (connect.spec.suspend) return CALM;
  if (isServerGone) return { text: 'server is gone', needsAttention: true };
  switch (state) {
    case SparkConnectState.PROVISIONING:
    case SparkConnectState.NOT_READY: return unready(observed);
    case SparkConnectState.READY: return ready(observed);
    case SparkConnectState.FAILED: return { text: 'is about to start again', needsAttention: false };
    default: return CALM;
  }
}

/** Returns that no operator runs, and what its absence hides or delays. */
function unattendedWords({ connect, isServerGone, operator }: ObservedConnect): string {
  const isSuspended = stateOf(connect) === SparkConnectState.SUSPENDED;
  const request = connect.spec.suspend ? 'suspension requested' : isSuspended ? 'resume requested' : undefined;
  return withoutOperator(operator, request ?? (isServerGone ? 'server is gone' : undefined));
}

function unready({ connect, server, now }: ObservedConnect): ShortReason {
  const { reason, message = '' } = serverCondition(connect);
  switch (reason as ConditionReason | undefined) {
    case 'ServerEnded': {
      const text = endWords(message);
      return { ...(text !== undefined && { text }), needsAttention: true, retryAt: now + Math.max(untilRestart(connect, now), 0) };
    }
    case 'ServerNotCreated': return message.includes('cannot be created') ? { text: obstacleWords(message), needsAttention: true } : CALM;
    case 'ServerNotStarted': return waitingReason(message, server, waitingSince({ connect, server }), now);
    case 'ServerNotAnswering': return { text: /unreachable|NodeLost/.test(message) ? nodeWords(message) : 'does not answer', needsAttention: true };
    case 'ServerPodNotReady': {
      if (server?.metadata.deletionTimestamp) return { text: 'server is being deleted', needsAttention: true };
      const waits = waitingReason(undefined, server, waitingSince({ connect, server }), now);
      if (waits.text !== undefined) return waits;
      // It has ended since it last ran for long.
      const { restarts = 0 } = connect.status ?? {};
      return restarts > 0 ? { text: `starts again, restart ${restarts}`, needsAttention: true } : CALM;
    }
    default: return CALM;
  }
}

function ready(observed: ObservedConnect): ShortReason {
  const { connect, executors, waiting, now } = observed;
  const side = sideProblem(connect);
  if (side) return { text: side.words, needsAttention: true };
  const pods = (executors ?? waiting)?.filter((pod) => podState(pod) === 'PENDING');
  const { pending = 0, ...others } = connect.status?.executors ?? {};
  const count = pods?.length ?? pending;
  const isLate = Boolean(wantedExecutors(connect)) && now - Date.parse(serverCondition(connect).lastTransitionTime ?? '') > NO_EXECUTORS;
  const hasNone = count === 0 && Object.keys(others).length === 0;
  return executorsReason(pods, connectRefusalOf(observed), count, isLate && !others.running, now)
    ?? (hasNone && isLate ? { text: 'no executors', needsAttention: true } : CALM);
}

function failed({ connect }: ObservedConnect): ShortReason {
  const { reason, message = '' } = serverCondition(connect);
  const text = (reason as ConditionReason | undefined) === 'SpecRefused' ? 'specification rejected' : endWords(message);
  return { ...(text !== undefined && { text }), needsAttention: true };
}

/** Returns why a server has ended, was not created or did not start. */
function endWords(message: string): string | undefined {
  return /^the server (?:cannot be created|does not start)/.test(message) ? obstacleWords(message) : causeClass(message).words;
}
