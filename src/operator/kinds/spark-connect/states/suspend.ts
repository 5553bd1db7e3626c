import { SparkConnectState, type SparkConnectStatus } from '../../../../api/spark-connect-status';
import { normal } from '../../../user-event';
import { withCondition } from '../../../../model/spark-connect-conditions';
import type { Context, Observation, Step } from '../decision';
import { stateOf } from '../../../../model/spark-connect';
import { awaitDeletion, notReady, retired } from './end';

const MESSAGE = 'nothing of it runs until spec.suspend is false';

/**
 * Suspends a SparkConnect. It deletes the server with its executors, and then the objects of the
 * server. The Service stays.
 */
export function stop(observation: Observation, { now }: Context): Step {
  const { connect, server, cleanedUp } = observation;
  const { name } = connect.metadata;
  const state = stateOf(connect);
  if (server.kind === 'ours' && state !== SparkConnectState.SUSPENDED) {
    return {
      status: retired(connect, {
        state: SparkConnectState.NOT_READY, reason: 'Suspending', message: 'the server ends, as spec.suspend asks for',
      }, now),
      events: [normal('SparkConnectSuspending', 'Suspend', `SparkConnect ${name} is being suspended`)],
      again: true,
    };
  }
  if (server.kind === 'ours' || server.kind === 'earlier') {
    if (server.pod.metadata.deletionTimestamp) return awaitDeletion(server.pod, now);
    return { action: { kind: 'delete-server', pod: server.pod, force: false } };
  }
  if (state === SparkConnectState.SUSPENDED) return { requeueAfter: null };
  if (!cleanedUp && state !== SparkConnectState.NEW) return { action: { kind: 'clean-up' } };
  return {
    status: suspended(observation, now),
    events: [normal('SparkConnectSuspended', 'Suspend', `SparkConnect ${name} is suspended: ${MESSAGE}`)],
    requeueAfter: null,
  };
}

/**
 * Returns the suspended status. It also ends a pending start: its objects have another id than the
 * next start.
 */
function suspended({ connect }: Observation, now: number): SparkConnectStatus {
  const condition = { state: SparkConnectState.SUSPENDED, reason: 'Suspended', message: MESSAGE } as const;
  if (stateOf(connect) !== SparkConnectState.NEW) return retired(connect, condition, now);
  return withCondition({ ...connect.status, state: SparkConnectState.SUSPENDED }, notReady('Suspended', MESSAGE), now);
}

/** Resumes a SparkConnect. */
export function resume({ connect }: Observation, { now }: Context): Step {
  return {
    status: withCondition(
      { ...connect.status, state: SparkConnectState.PROVISIONING },
      notReady('Resuming', 'the operator creates the objects of the server'), now,
    ),
    events: [normal('SparkConnectResumed', 'Resume', `SparkConnect ${connect.metadata.name} is resumed`)],
    again: true,
  };
}
