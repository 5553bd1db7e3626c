import { SparkConnectState, type SparkConnectStatus } from '../../../api/spark-connect-status';
import { warning } from '../../occurrence';
import { seconds } from '../../../text/times';
import { SERVER_READY, withCondition, type ConditionReason } from '../../../model/spark-connect-conditions';
import type { Context, Observation, Step } from '../decision';
import type { SparkConnect } from '../../../model/spark-connect';
import { isRestarted, restartsAfter, untilRestart } from '../restart';
import { terminationTime } from '../../../plan/connect/start';

/** How a server came to an end. */
export interface End {
  /** Why, for people. */
  readonly cause: string;
  /** For how long it ran, in milliseconds, by one clock; 0 if nobody knows. */
  readonly ran: number;
}

/** The server has ended, or is given up: the restart policy decides what follows. */
export function ended({ connect }: Observation, { cause, ran }: End, { now }: Context): Step {
  const { name } = connect.metadata;
  // By the operator's clock: that of a node may be another, and the wait begins when the end is seen.
  const status = withoutServer(connect.status ?? {}, now);
  if (!isRestarted(connect.spec)) {
    const podName = connect.status?.server?.podName;
    return {
      status: withCondition({ ...status, state: SparkConnectState.FAILED, ...(podName !== undefined && { server: { ...status.server, podName } }) }, notReady('ServerFailed', cause), now),
      events: [warning('SparkConnectFailed', 'Run', `The server of SparkConnect ${name} has ended, and is not started again, as spec.restartPolicy.type is Never: ${cause}`)],
      requeueAfter: null,
    };
  }
  const restarts = restartsAfter(connect, ran);
  const next = { ...status, restarts, state: SparkConnectState.NOT_READY };
  const wait = seconds(Math.max(untilRestart({ ...connect, status: next }, now), 0));
  return {
    status: withCondition(next, notReady('ServerEnded', `${cause}; it is started again after ${wait}`), now),
    events: [warning('SparkConnectServerFailed', 'Run', `The server of SparkConnect ${name} has ended, and is started again after ${wait} (restart ${restarts}): ${cause}`)],
    goOn: true,
  };
}

/** What the status is to say of a server that is to go. */
export interface Retirement {
  readonly state: SparkConnectState;
  readonly reason: ConditionReason;
  readonly message: string;
}

/** The server of before is to go, and another one comes: what the intent is, before anything is deleted. */
export function retired(connect: SparkConnect, { state, reason, message }: Retirement, now: number): SparkConnectStatus {
  const { restarts: _, ...status } = withoutServer(connect.status ?? {}, now);
  return withCondition({ ...status, state }, notReady(reason, message), now);
}

/** The status after the end of a server: the next one has another id from now on. */
function withoutServer(status: SparkConnectStatus, end: number): SparkConnectStatus {
  const { idleSince: ___, ...others } = status;
  const { podName: _, podIp: __, ...server } = status.server ?? {};
  return { ...others, server, lastTerminationTime: terminationTime(status, end) };
}

/** That the server does not take connections, and why. */
export function notReady(reason: ConditionReason, message: string): Parameters<typeof withCondition>[1] {
  return { type: SERVER_READY, status: 'False', reason, message };
}

/** How often it is looked for a pod that is being deleted, should its end not be told. */
const LOOK_AGAIN = 10_000;
/** How long after its time of grace a pod may still be there until its node counts as unreachable, in milliseconds. */
const UNREACHABLE = 2 * 60_000;

/** Waits for the end of a pod that is being deleted. One whose node does not answer is taken away: the name is needed. */
export function awaitDeletion(pod: Extract<Observation['server'], { pod: unknown }>['pod'], now: number): Step {
  const left = Date.parse(pod.metadata.deletionTimestamp ?? '') + UNREACHABLE - now;
  return left <= 0 ? { action: { kind: 'delete-server', pod, force: true } } : { requeueAfter: Math.min(LOOK_AGAIN, left) };
}
