import { SparkConnectState, type SparkConnectStatus } from '../../../../api/spark-connect-status';
import { obstacleText } from '../../../../model/cause/obstacle-text';
import { startDeadline, type StartDeadline } from '../../../driver/start-deadline';
import type { PodView } from '../../../../model/pod-view';
import { warning } from '../../../user-event';
import { seconds } from '../../../../text/times';
import { conditionIn, SERVER_READY, withCondition, type ConditionReason } from '../../../../model/spark-connect-conditions';
import type { Context, Observation, Step } from '../decision';
import type { SparkConnect } from '../../../../model/spark-connect';
import { isRestarted, restartsAfter, untilRestart } from '../../../../plan/connect/restart';
import { terminationTime } from '../../../../plan/connect/start';

/** The end of a server. */
export interface End {
  /** The reason, for users. */
  readonly cause: string;
  /** Milliseconds for which it ran, by one clock; 0 if unknown. */
  readonly ran: number;
}

/** Handles the end of a server, or of the wait for it. The restart policy decides what follows. */
export function ended({ connect }: Observation, { cause, ran }: End, { now }: Context): Step {
  const { name } = connect.metadata;
  // By the operator's clock: that of the node can differ, and the wait begins when the operator
  // sees the end.
  const status = withoutServer(connect.status ?? {}, now);
  if (!isRestarted(connect.spec)) {
    const podName = connect.status?.server?.podName;
    return {
      status: withCondition(
        { ...status, state: SparkConnectState.FAILED, ...(podName !== undefined && { server: { ...status.server, podName } }) },
        notReady('ServerFailed', cause), now,
      ),
      events: [warning(
        'SparkConnectFailed', 'Run',
        `The server of SparkConnect ${name} has ended, and is not started again, as spec.restartPolicy.type is Never: ${obstacleText(cause)}`,
      )],
      requeueAfter: null,
    };
  }
  const restarts = restartsAfter(connect, ran);
  const next = { ...status, restarts, state: SparkConnectState.NOT_READY };
  const wait = seconds(Math.max(untilRestart({ ...connect, status: next }, now), 0));
  return {
    status: withCondition(next, notReady('ServerEnded', `${cause}; it is started again after ${wait}`), now),
    events: [warning(
      'SparkConnectServerFailed', 'Run',
      `The server of SparkConnect ${name} has ended, and is started again after ${wait} (restart ${restarts}): ${obstacleText(cause)}`,
    )],
    again: true,
  };
}

/** Status of a server that is about to be deleted. */
export interface Retirement {
  readonly state: SparkConnectState;
  readonly reason: ConditionReason;
  readonly message: string;
}

/** Returns the status that records the replacement of a server, before anything is deleted. */
export function retired(connect: SparkConnect, { state, reason, message }: Retirement, now: number): SparkConnectStatus {
  const { lastTerminationTime } = connect.status ?? {};
  const { restarts: _, ...status } = withoutServer(connect.status ?? {}, now);
  // The next server of a failed one has another id since its end.
  const hasFailed = conditionIn(status, SERVER_READY)?.reason === 'ServerFailed' && lastTerminationTime !== undefined;
  return withCondition({ ...status, state, ...(hasFailed && { lastTerminationTime }) }, notReady(reason, message), now);
}

/** Returns the status after the end of a server. It gives the next server another id. */
export function withoutServer(status: SparkConnectStatus, end: number): SparkConnectStatus {
  const { idleSince: ___, ...others } = status;
  const { podName: _, podIp: __, ...server } = status.server ?? {};
  return { ...others, server, lastTerminationTime: terminationTime(status, end) };
}

/** Returns the condition that the server does not accept connections, with the reason. */
export function notReady(reason: ConditionReason, message: string): Parameters<typeof withCondition>[1] {
  return { type: SERVER_READY, status: 'False', reason, message };
}

/**
 * Returns the deadline of a wait for something that needs user action. If an older CRD drops it, it
 * began on its node, or when the server was last ready or created.
 */
export function deadlineOf(
  { connect: { metadata, status }, dropsStartDeadline }: Observation, { now, startTimeout }: Context, pod?: PodView,
): StartDeadline {
  const begin = Date.parse(pod?.startTime ?? conditionIn(status, SERVER_READY)?.lastTransitionTime ?? metadata.creationTimestamp ?? '');
  return startDeadline({ known: status?.startDeadlineTime, timeout: startTimeout, ...(dropsStartDeadline && { begin }) }, now);
}

/**
 * Milliseconds between two checks of a pod that is being deleted, in case the watch does not report
 * its end.
 */
const REQUEUE_AFTER = 10_000;
/**
 * Milliseconds after its grace period for which a pod can exist until its node is considered
 * unreachable.
 */
const UNREACHABLE = 2 * 60_000;

/**
 * Waits for the end of a pod that is being deleted. If its node does not answer, the pod is
 * force-deleted, because the next server needs its name.
 */
export function awaitDeletion(pod: Extract<Observation['server'], { pod: unknown }>['pod'], now: number): Step {
  const left = Date.parse(pod.metadata.deletionTimestamp ?? '') + UNREACHABLE - now;
  return left <= 0 ? { action: { kind: 'delete-server', pod, force: true } } : { requeueAfter: Math.min(REQUEUE_AFTER, left) };
}
