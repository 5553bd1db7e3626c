import type { SparkConnectSpec } from '../../../../api/spark-connect';
import { SparkConnectState, type SparkConnectStatus } from '../../../../api/spark-connect-status';
import { ExecutorState } from '../../../../api/states';
import { causeOfEnd } from '../../../driver/cause-of-end';
import { hasMessage, reports, startObstacle } from '../../../driver/start-obstacle';
import { leastOf } from '../../../driver/pauses';
import { withStartDeadline } from '../../../driver/start-deadline';
import { gaveUp } from '../../../../model/cause/obstacle-text';
import { driverState, hasEnded, type PodView } from '../../../../model/pod-view';
import { untilReading } from '../../../driver/preparation';
import { noteOf } from '../../../note';
import { normal, warning } from '../../../user-event';
import { shortDuration } from '../../../../text/duration';
import { rfc3339 } from '../../../../text/times';
import { inTheWay } from '../belonging';
import {
  conditionIn, SERVER_READY, SESSIONS_KNOWN, withCondition, withoutCondition, type ConditionReason,
} from '../../../../model/spark-connect-conditions';
import type { Context, Observation, Step } from '../decision';
import { stateOf } from '../../../../model/spark-connect';
import { isRestarted, resetAfter } from '../../../../plan/connect/restart';
import { startupTimes } from '../../../../plan/connect/startup-probe';
import { isRevisionChanged } from '../../../../plan/connect/revision';
import { awaitDeletion, deadlineOf, ended, notReady, retired } from './end';

/** Follows the server of the current start. */
export function follow(observation: Observation, pod: PodView, context: Context): Step {
  const { connect } = observation;
  const { now } = context;
  if (connect.status?.server?.podName !== pod.metadata.name) return adopted(observation, pod, now);
  if (hasEnded(pod)) {
    return ended(observation, { cause: causeOf(observation, pod), ran: timeOfRun(pod) ?? timeOfService(observation, now) }, context);
  }
  if (pod.metadata.deletionTimestamp) {
    return {
      ...unready(observation, pod, 'ServerPodNotReady', `server pod ${pod.metadata.name} is being deleted`, now),
      ...awaitDeletion(pod, now),
    };
  }
  // A refused specification does not end the running server.
  if (isRevisionChanged(pod, connect) && observation.refusals.length === 0 && observation.undecidable === undefined) {
    return replaced(observation, now);
  }
  switch (driverState(pod)) {
    case ExecutorState.PENDING: return waitForStart(observation, pod, context);
    case ExecutorState.RUNNING:
      return pod.isReady ? ready(observation, pod, now) : silent(observation, pod, 'the server does not take connections', context);
    default: {
      const node = pod.nodeName ? ` ${pod.nodeName}` : '';
      const message = pod.reason ?? `the state of the server pod is unknown; its node${node} might be unreachable`;
      return silent(observation, pod, message, context);
    }
  }
}

/**
 * Returns why a server has ended. The pod of one that the kubelet ended by its startup probe only
 * has the signal: SIGKILL if it ignored the other for its grace period.
 */
function causeOf({ connect }: Observation, pod: PodView): string {
  const cause = causeOfEnd(pod, 'server', 'ended');
  // A large specification is kept without its template.
  const { template } = connect.spec.server as Partial<SparkConnectSpec['server']>;
  const [ran, { least, most }] = [timeOfRun(pod), startupTimes(template)];
  const wasProbed = ran !== undefined && ran >= least && ran <= most;
  // It never accepted connections.
  if (!wasProbed || conditionIn(connect.status, SERVER_READY)?.reason !== 'ServerPodNotReady') return cause;
  return cause.replace(/(?:terminated by SIGTERM|killed by SIGKILL)$/, `it accepted no connections for ${shortDuration(ran)}: its startup probe failed`);
}

/**
 * Milliseconds for which a server that accepted connections can refuse them until it is considered
 * ended. Longer than the time after which Kubernetes evicts the pods of an unreachable node.
 */
const UNANSWERED = 10 * 60_000;

/**
 * Handles a running server that does not accept connections. It waits, and gives up only a server
 * that accepted them before.
 */
function silent(observation: Observation, pod: PodView, message: string, context: Context): Step {
  const { connect } = observation;
  const { now } = context;
  const before = conditionIn(connect.status, SERVER_READY);
  const hasAnswered = stateOf(connect) === SparkConnectState.READY || before?.reason === 'ServerNotAnswering';
  if (!hasAnswered) return unready(observation, pod, 'ServerPodNotReady', message, now);
  const since = before?.status === 'False' ? Math.min(Date.parse(before.lastTransitionTime), now) : now;
  const left = since + UNANSWERED - now;
  if (left <= 0 && isRestarted(connect.spec)) {
    return ended(observation, { cause: gaveUp(message, UNANSWERED), ran: 0 }, context);
  }
  return { ...unready(observation, pod, 'ServerNotAnswering', message, now), requeueAfter: left > 0 ? left : undefined };
}

/** Handles a known server that a live read does not find. */
export function lost(observation: Observation, context: Context): Step {
  const { server } = observation;
  const why = server.kind === 'absent' || server.kind === 'ours'
    ? 'it was deleted, or its node is gone'
    : inTheWay('Pod', server.pod.metadata.name, server.kind);
  return ended(observation, { cause: `server pod not found: ${why}`, ran: timeOfService(observation, context.now) }, context);
}

/** Records that the server was created or found. From now on its absence is an end. */
function adopted({ connect, warnings = [] }: Observation, pod: PodView, now: number): Step {
  const { name } = connect.metadata;
  const status = connect.status ?? {};
  // A server of another operator might have accepted connections for long.
  const state = stateOf(connect) === SparkConnectState.NEW ? SparkConnectState.PROVISIONING : stateOf(connect);
  const message = 'the server is starting';
  return {
    status: withCondition(
      { ...status, state, server: { ...status.server, podName: pod.metadata.name } }, notReady('ServerPodNotReady', message), now,
    ),
    events: [
      normal('SparkConnectServerStarted', 'Start', `The server of SparkConnect ${name} was started as pod ${pod.metadata.name}`),
      ...(warnings.length > 0 ? [warning('SparkConnectSpecWarning', 'Start', noteOf(warnings))] : []),
    ],
    again: true,
  };
}

function replaced({ connect }: Observation, now: number): Step {
  const { name } = connect.metadata;
  return {
    status: retired(connect, {
      state: SparkConnectState.PROVISIONING, reason: 'ServerReplaced',
      message: 'the specification has changed: the previous server ends, and another one is started',
    }, now),
    events: [normal(
      'SparkConnectServerReplaced', 'Restart',
      `The specification of SparkConnect ${name} has changed: its server ends, and another one is started`,
    )],
    again: true,
  };
}

function waitForStart(observation: Observation, pod: PodView, context: Context): Step {
  const { connect } = observation;
  const { now, startTimeout } = context;
  const { obstacle, text, note, prepared } = startObstacle(pod, now);
  const message = text ? `the server does not start: ${text}` : 'the server is starting';
  const deadline = obstacle && !obstacle.passes ? deadlineOf(observation, context, pod) : undefined;
  if (deadline && deadline.left <= 0) {
    return ended(observation, { cause: gaveUp(message, startTimeout), ran: 0 }, context);
  }
  const before = conditionIn(connect.status, SERVER_READY)?.message;
  const { status, ...step } = unready(observation, pod, text ? 'ServerNotStarted' : 'ServerPodNotReady', message, now);
  return {
    ...step,
    status: withStartDeadline(status!, deadline?.time),
    events: obstacle && !reports(before, obstacle) ? [
      warning('SparkConnectServerPending', 'Start', `Server ${pod.metadata.name} does not start: ${note}`),
    ] : [],
    requeueAfter: leastOf(deadline?.left, obstacle ? Infinity : prepared, untilReading(pod, now)),
  };
}

/**
 * Handles a server that does not accept connections. Before it first does, it is being provisioned;
 * later that is a fault.
 */
function unready({ connect }: Observation, pod: PodView, reason: ConditionReason, message: string, now: number): Step {
  const status = connect.status!;
  const before = conditionIn(status, SERVER_READY);
  const wasReady = stateOf(connect) === SparkConnectState.READY;
  const isSame = before?.status === 'False' && before.reason === reason && hasMessage(before.message, message);
  const state = wasReady ? SparkConnectState.NOT_READY : stateOf(connect);
  const next = withAddress({ ...status, state }, pod);
  return {
    status: isSame ? next : withCondition(next, notReady(reason, message), now),
    events: wasReady ? [
      warning('SparkConnectServerNotReady', 'Run', `Server ${pod.metadata.name} does not take connections any more: ${message}`),
    ] : [],
  };
}

function ready(observation: Observation, pod: PodView, now: number): Step {
  const { connect } = observation;
  const isNews = stateOf(connect) !== SparkConnectState.READY;
  const untilReset = (connect.status?.restarts ?? 0) > 0 ? resetAfter(connect.spec) - timeOfService(observation, now) : Infinity;
  let status = withAddress({ ...connect.status, state: SparkConnectState.READY }, pod);
  if (isNews || conditionIn(status, SERVER_READY)?.status !== 'True') {
    status = withCondition(status, { type: SERVER_READY, status: 'True', reason: 'ServerPodReady', message: 'Server pod is ready' }, now);
  }
  if (untilReset <= 0) status = { ...status, restarts: 0 };
  const step = idle({ ...observation, connect: { ...connect, status } }, now);
  return {
    ...step,
    status: step.status ?? status,
    events: [
      ...(isNews ? [normal('SparkConnectServerReady', 'Run', `Server ${pod.metadata.name} takes connections`)] : []),
      ...step.events ?? [],
    ],
    requeueAfter: leastOf(untilReset > 0 ? untilReset : undefined, step.requeueAfter ?? undefined),
  };
}

/** Deletes the SparkConnect if it has had no session for long enough. */
function idle({ connect, sessions }: Observation, now: number): Step {
  const { spec: { idleTimeToLiveSeconds }, metadata: { name } } = connect;
  if (idleTimeToLiveSeconds === undefined || !sessions) return {};
  const { idleSince, ...others } = connect.status!;
  if (sessions.kind === 'unknown') {
    const isReported = conditionIn(others, SESSIONS_KNOWN)?.message === sessions.reason;
    const note = `spec.idleTimeToLiveSeconds of SparkConnect ${name} has no effect at the moment: ${sessions.reason}`;
    return {
      status: isReported ? connect.status : withCondition(
        connect.status!, { type: SESSIONS_KNOWN, status: 'False', reason: 'SessionsUnknown', message: sessions.reason }, now,
      ),
      events: isReported ? [] : [warning('SparkConnectSessionsUnknown', 'Watch', note)],
    };
  }
  const known = withoutCondition(others, SESSIONS_KNOWN);
  if (sessions.online > 0) return { status: known };
  const since = now - sessions.idleFor;
  const left = idleTimeToLiveSeconds * 1000 - sessions.idleFor;
  // The time is for users. A difference by rounding does not need another write.
  const isSame = Math.abs(Date.parse(idleSince ?? '') - since) < 2_000;
  const status: SparkConnectStatus = { ...known, idleSince: isSame ? idleSince : rfc3339(since) };
  if (left > 0) return { status, requeueAfter: left };
  const note = `SparkConnect ${name} has had no session for ${idleTimeToLiveSeconds} s (spec.idleTimeToLiveSeconds): it is deleted`;
  return { status, action: { kind: 'delete-connect', seenAt: sessions.at }, events: [normal('SparkConnectIdle', 'Delete', note)] };
}

function withAddress(status: SparkConnectStatus, { podIP }: PodView): SparkConnectStatus {
  const { podIp: _, ...server } = status.server ?? {};
  return { ...status, server: { ...server, ...(podIP !== undefined && { podIp: podIP }) } };
}

/**
 * Returns the milliseconds for which the server's container ran, by the clock of its node alone.
 * They exclude the pull of its image.
 */
function timeOfRun({ terminated }: PodView): number | undefined {
  const ran = Date.parse(terminated?.finishedAt ?? '') - Date.parse(terminated?.startedAt ?? '');
  return Number.isNaN(ran) ? undefined : Math.max(ran, 0);
}

/** Returns the milliseconds for which it has accepted connections, by the operator's clock. */
function timeOfService({ connect }: Observation, now: number): number {
  const condition = conditionIn(connect.status, SERVER_READY);
  return condition?.status === 'True' ? Math.max(now - Date.parse(condition.lastTransitionTime), 0) : 0;
}
