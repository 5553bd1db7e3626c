import { SparkConnectState, type SparkConnectStatus } from '../../../api/spark-connect-status';
import { normal } from '../../occurrence';
import { withCondition } from '../../../model/spark-connect-conditions';
import type { Context, Observation, Step } from '../decision';
import { stateOf } from '../../../model/spark-connect';
import { awaitDeletion, notReady, retired } from './end';

const MESSAGE = 'nothing of it runs until spec.suspend is false';

/** Suspended, or to be: the server goes, and with it its executors; then what was made for it. The Service stays. */
export function stop(observation: Observation, { now }: Context): Step {
  const { connect, server, cleanedUp } = observation;
  const { name } = connect.metadata;
  const state = stateOf(connect);
  if (server.kind === 'ours' && state !== SparkConnectState.SUSPENDED) {
    return {
      status: retired(connect, { state: SparkConnectState.NOT_READY, reason: 'Suspending', message: 'the server ends, as spec.suspend asks for' }, now),
      events: [normal('SparkConnectSuspending', 'Suspend', `SparkConnect ${name} is being suspended`)],
      goOn: true,
    };
  }
  if (server.kind === 'ours' || server.kind === 'earlier') {
    return server.pod.metadata.deletionTimestamp ? awaitDeletion(server.pod, now) : { action: { kind: 'delete-server', pod: server.pod, force: false } };
  }
  if (state === SparkConnectState.SUSPENDED) return { requeueAfter: null };
  if (!cleanedUp && state !== SparkConnectState.NEW) return { action: { kind: 'clean-up' } };
  return {
    status: suspended(observation, now),
    events: [normal('SparkConnectSuspended', 'Suspend', `SparkConnect ${name} is suspended: ${MESSAGE}`)],
    requeueAfter: null,
  };
}

/** A start that may have been under way is over, too: what is left of it has another id than the next one. */
function suspended({ connect }: Observation, now: number): SparkConnectStatus {
  const condition = { state: SparkConnectState.SUSPENDED, reason: 'Suspended', message: MESSAGE } as const;
  if (stateOf(connect) !== SparkConnectState.NEW) return retired(connect, condition, now);
  return withCondition({ ...connect.status, state: SparkConnectState.SUSPENDED }, notReady('Suspended', MESSAGE), now);
}

/** Its user lets it go on. */
export function resume({ connect }: Observation, { now }: Context): Step {
  return {
    status: withCondition({ ...connect.status, state: SparkConnectState.PROVISIONING }, notReady('Resuming', 'what the server needs is being created'), now),
    events: [normal('SparkConnectResumed', 'Resume', `SparkConnect ${connect.metadata.name} goes on`)],
    goOn: true,
  };
}
