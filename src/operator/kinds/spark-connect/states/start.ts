import { SparkConnectState } from '../../../../api/spark-connect-status';
import { sameButForNumbers, type SubmissionFailure } from '../../../driver/submission-failure';
import { pauseAfter } from '../../../driver/pauses';
import { withStartDeadline } from '../../../driver/start-deadline';
import { gaveUp, obstacleText } from '../../../../model/cause/obstacle-text';
import { hasEnded } from '../../../../model/pod-view';
import { normal, warning } from '../../../user-event';
import { inTheWay, isOfPredecessor } from '../belonging';
import { conditionIn, SERVER_READY, withCondition } from '../../../../model/spark-connect-conditions';
import type { Context, Observation, Step } from '../decision';
import { stateOf } from '../../../../model/spark-connect';
import { isRestarted, untilRestart } from '../../../../plan/connect/restart';
import { awaitDeletion, deadlineOf, notReady, retired, withoutServer } from './end';

/** Creates the server of the current start, after the previous one is gone. */
export function start(observation: Observation, context: Context): Step {
  const { now } = context;
  const { connect, server, failure, refusals, undecidable, notBefore = now } = observation;
  const due = untilRestart(connect, now);
  // The new specification might solve the problem, so it does not wait.
  if (due > 0 && connect.metadata.generation !== connect.status?.observedGeneration) {
    return { status: { ...connect.status, restarts: 0 }, again: true };
  }
  // An ended server stays until then, because its user might want to inspect it.
  if (due > 0 && (server.kind !== 'earlier' || hasEnded(server.pod))) return { requeueAfter: due };
  if (server.kind === 'earlier') {
    if (server.pod.metadata.deletionTimestamp) return awaitDeletion(server.pod, now);
    return { action: { kind: 'delete-server', pod: server.pod, force: false } };
  }
  // No other process force-deletes the pod of a deleted SparkConnect on an unreachable node.
  if (server.kind === 'leaving' && isOfPredecessor(server.pod, connect) && server.pod.metadata.deletionTimestamp) {
    const { action } = awaitDeletion(server.pod, now);
    if (action) return { action };
  }
  if (refusals.length > 0) return refused(observation, refusals.join('; '), now);
  const found = failure ?? (undecidable === undefined ? undefined : { reason: undecidable, kind: 'passing' } as SubmissionFailure)
    ?? (server.kind === 'leaving' || server.kind === 'foreign'
      ? { reason: inTheWay('Pod', server.pod.metadata.name, server.kind), kind: 'lasting' } as SubmissionFailure
      : undefined);
  if (found) return waitForCreation(observation, found, context);
  if (stateOf(connect) === SparkConnectState.NEW) {
    const status = { ...connect.status, state: SparkConnectState.PROVISIONING };
    const condition = notReady('ServerNotCreated', 'the operator creates the objects of the server');
    return { status: withCondition(status, condition, now), action: { kind: 'start' } };
  }
  // The pause between two attempts applies to every trigger, such as the operator's own write.
  return notBefore > now ? { requeueAfter: notBefore - now } : { action: { kind: 'start' } };
}

/** Waits for another specification, or other limits, after a refusal. */
function refused({ connect }: Observation, reason: string, now: number): Step {
  return {
    status: withCondition({ ...connect.status, state: SparkConnectState.FAILED }, notReady('SpecRefused', reason), now),
    requeueAfter: null,
  };
}

function waitForCreation(observation: Observation, { reason, kind, retryWithin }: SubmissionFailure, context: Context): Step {
  const { connect } = observation;
  const { now, startTimeout } = context;
  const { name } = connect.metadata;
  const status = {
    ...connect.status, state: stateOf(connect) === SparkConnectState.NEW ? SparkConnectState.PROVISIONING : stateOf(connect),
  };
  // A server that is started again is never given up before it was created.
  const deadline = kind === 'lasting' && !isRestarted(connect.spec) ? deadlineOf(observation, context) : undefined;
  if (kind === 'final' || (deadline && deadline.left <= 0)) {
    const cause = kind === 'final' ? reason : gaveUp(reason, startTimeout);
    return {
      status: withCondition(
        { ...withoutServer(status, now), state: SparkConnectState.FAILED }, notReady('ServerFailed', `the server cannot be created: ${cause}`), now,
      ),
      events: [warning('SparkConnectFailed', 'Start', `The server of SparkConnect ${name} cannot be created: ${obstacleText(cause)}`)],
      requeueAfter: null,
    };
  }
  const message = `the server cannot be created yet: ${reason}`;
  const before = conditionIn(status, SERVER_READY);
  const isNews = !sameButForNumbers(before?.message, message);
  const pause = pauseAfter(before && !isNews ? now - Date.parse(before.lastTransitionTime) : 0, retryWithin);
  return {
    status: isNews || status.startDeadlineTime !== deadline?.time
      ? withStartDeadline(withCondition(status, notReady('ServerNotCreated', message), now), deadline?.time) : undefined,
    events: isNews ? [
      warning('SparkConnectServerPending', 'Start', `The server of SparkConnect ${name} cannot be created yet: ${obstacleText(reason)}`),
    ] : [],
    requeueAfter: Math.min(pause, deadline?.left ?? Infinity),
  };
}

/**
 * Handles a failed SparkConnect. It waits for another specification, or for other limits if these
 * refused it.
 */
export function failed(observation: Observation, { now }: Context): Step {
  const { connect, server, refusals, undecidable } = observation;
  const wasRefused = conditionIn(connect.status, SERVER_READY)?.reason === 'SpecRefused';
  const isChanged = connect.metadata.generation !== connect.status?.observedGeneration;
  // Without readable limits, it is unknown whether a refused specification is allowed by now.
  if ((isChanged || wasRefused) && refusals.length === 0 && (isChanged || undecidable === undefined)) {
    return {
      status: retired(
        connect,
        { state: SparkConnectState.PROVISIONING, reason: 'ServerNotCreated', message: 'the operator creates the objects of the server' },
        now,
      ),
      events: [normal(
        'SparkConnectRetried', 'Start',
        `SparkConnect ${connect.metadata.name} is tried again, as ${isChanged ? 'its specification has changed' : 'the limits allow it'}`,
      )],
      again: true,
    };
  }
  const step: Step = (isChanged || wasRefused) && refusals.length > 0
    ? refused(observation, refusals.join('; '), now)
    : { requeueAfter: null };
  // A creation with a lost answer can still succeed, even after its specification was refused.
  const isLate = (server.kind === 'ours' || server.kind === 'earlier') && !hasEnded(server.pod) && !server.pod.metadata.deletionTimestamp;
  return isLate ? { ...step, action: { kind: 'delete-server', pod: server.pod, force: false } } : step;
}
