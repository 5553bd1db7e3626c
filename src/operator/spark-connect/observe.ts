import { LABEL_APP_UID, LABEL_SPARK_ROLE } from '../../api/labels';
import { SparkConnectState } from '../../api/spark-connect-status';
import { viewOf, type PodView } from '../../model/pod-view';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import { keyOf } from '../../kube/objects';
import type { Store } from '../../kube/store';
import { PODS } from '../../model/resources';
import { belongingOf } from './belonging';
import type { Observation, Server } from './decision';
import { BY_CONNECT, serverPodName, stateOf, type SparkConnect } from '../../model/spark-connect';

/** What observing needs from outside. */
export interface Observer {
  readonly client: Pick<KubeClient, 'get'>;
  readonly pods: Store<PodView>;
  /** Ends the calls under way when the operator stops. */
  readonly signal?: AbortSignal;
}

/** The pods of a SparkConnect. A server that the cache does not hold is looked for on the API server where it matters. */
export async function observe(connect: SparkConnect, observer: Observer): Promise<Pick<Observation, 'connect' | 'server' | 'executors'>> {
  const { uid } = connect.metadata;
  const executors = observer.pods.byIndex(BY_CONNECT, keyOf(connect.metadata)).filter(({ metadata: { labels } }) => (
    // Those that kubeflow/spark-operator's servers have made say nothing of the uid.
    labels?.[LABEL_SPARK_ROLE] === 'executor' && (labels[LABEL_APP_UID] ?? uid) === uid
  ));
  return { connect, executors, server: await serverOf(connect, observer) };
}

async function serverOf(connect: SparkConnect, observer: Observer): Promise<Server> {
  const ref = { namespace: connect.metadata.namespace, name: serverPodName(connect) };
  const cached = observer.pods.get(ref);
  // The cache of pods can be behind that of SparkConnects: then it holds the server of before, where the current one is.
  const isOurs = cached && belongingOf(cached, connect) === 'ours';
  const pod = isOurs || !absenceMatters(connect, cached) ? cached : await read(ref, observer);
  return pod ? { kind: belongingOf(pod, connect), pod } : { kind: 'absent' };
}

/** A server that is to be created is found by its creation; after its end, and while it is suspended, nobody asks for it. */
function absenceMatters(connect: SparkConnect, cached: PodView | undefined): boolean {
  const { spec, status } = connect;
  const isAtRest = stateOf(connect) === (spec.suspend ? SparkConnectState.SUSPENDED : SparkConnectState.FAILED);
  if (isAtRest) return false;
  return cached !== undefined || status?.server?.podName !== undefined || spec.suspend === true;
}

/** The pod is not put into the store: it may be one that the watch does not see, and would stay there for ever. */
async function read(ref: { namespace: string; name: string }, { client, signal }: Observer): Promise<PodView | undefined> {
  try {
    return viewOf(await client.get(PODS, ref, { signal }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
