import { LABEL_SPARK_ROLE } from '../../../api/labels';
import { SparkConnectState } from '../../../api/spark-connect-status';
import { isOwnPod } from '../../../model/own-pod';
import { viewOf, type PodView } from '../../../model/pod-view';
import type { KubeClient } from '../../../kube/client';
import { ignoring, isNotFound } from '../../../kube/errors';
import { keyOf } from '../../../kube/objects';
import type { Store } from '../../../kube/store';
import { PODS } from '../../../model/resources';
import { belongingOf } from './belonging';
import type { Observation, Server } from './decision';
import { BY_CONNECT, serverPodName, stateOf, type SparkConnect } from '../../../model/spark-connect';

/** Dependencies of an observation. */
export interface Observer {
  readonly client: Pick<KubeClient, 'get'>;
  readonly pods: Store<PodView>;
  /** Aborts pending calls when the operator stops. */
  readonly signal?: AbortSignal;
}

/**
 * Returns the pods of a SparkConnect. If the cache lacks the server and that matters, it asks the
 * API server.
 */
export async function observe(connect: SparkConnect, observer: Observer): Promise<Pick<Observation, 'connect' | 'server' | 'executors'>> {
  const executors = observer.pods.byIndex(BY_CONNECT, keyOf(connect.metadata)).filter((pod) => (
    pod.metadata.labels?.[LABEL_SPARK_ROLE] === 'executor' && isOwnPod(pod, connect)
  ));
  return { connect, executors, server: await serverOf(connect, observer) };
}

async function serverOf(connect: SparkConnect, observer: Observer): Promise<Server> {
  const ref = { namespace: connect.metadata.namespace, name: serverPodName(connect) };
  const cached = observer.pods.get(ref);
  // The cache of pods can be older than that of SparkConnects. It then contains the previous server
  // under the name of the current one.
  const isOurs = cached && belongingOf(cached, connect) === 'ours';
  const pod = isOurs || !absenceMatters(connect, cached) ? cached : await read(ref, observer);
  return pod ? { kind: belongingOf(pod, connect), pod } : { kind: 'absent' };
}

/**
 * Whether a missing server has to be confirmed. The creation finds an existing server. After its
 * end, and during a suspension, the server does not matter.
 */
function absenceMatters(connect: SparkConnect, cached: PodView | undefined): boolean {
  const { spec, status } = connect;
  const isAtRest = stateOf(connect) === (spec.suspend ? SparkConnectState.SUSPENDED : SparkConnectState.FAILED);
  if (isAtRest) return false;
  return cached !== undefined || status?.server?.podName !== undefined || spec.suspend === true;
}

/**
 * Reads the pod without storing it. The watch might not select this pod, and it would then stay in
 * the store forever.
 */
async function read(ref: { namespace: string; name: string }, { client, signal }: Observer): Promise<PodView | undefined> {
  const pod = await client.get(PODS, ref, { signal }).catch(ignoring(isNotFound));
  return pod && viewOf(pod);
}
