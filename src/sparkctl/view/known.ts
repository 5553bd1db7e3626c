import type { ObservedApplication } from '../../explain/explain';
import { lacksRoom, type Room } from '../../explain/room';
import { isAtRest } from '../../explain/unattended';
import { LABEL_APP_NAME, LABEL_SPARK_ROLE } from '../../api/labels';
import { ApplicationState } from '../../api/states';
import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { readDriverLogEnd } from '../../model/actions/driver-log-end';
import { readPodEvents, withPreparation } from '../../model/actions/preparation';
import type { KubeObject } from '../../kube/objects';
import type { PodSpec } from '../../model/kubernetes-objects';
import { readNodes, type Node } from '../../model/nodes';
import { isOwnPod } from '../../model/own-pod';
import { viewOf, type PodView } from '../../model/pod-view';
import { PODS, SPARK_APPLICATIONS } from '../../model/resources';
import { needsDriver, stateOf, type WholeApplication } from '../../model/spark-application';
import { presenceOf } from './presence';

/** Methods of the client that reading an application's pods needs. */
export type KnownClient = Pick<KubeClient, 'get' | 'list' | 'bytes'>;

/** Lists nodes; returns undefined without the permission. */
export type ReadNodes = () => Promise<readonly Node[] | undefined>;

/**
 * Reads the Pods of an application, the events of an executor that a node prepares, the end of the
 * log of a failed driver, whether an operator handles it, and the nodes if a Pod fits on none of
 * them. Facts that the user cannot read are missing.
 *
 * @param nodes lists the nodes if a Pod fits on none of them
 */
export async function knownOf(
  client: KnownClient, application: WholeApplication, now: number, signal?: AbortSignal,
  nodes: ReadNodes = () => readNodes(client, signal),
): Promise<ObservedApplication> {
  const [operator, pods, log] = await Promise.all([
    isAtRest(application) ? undefined : presenceOf(client, application, [SPARK_APPLICATIONS], now, signal),
    podsOf(client, application, LABEL_APP_NAME, signal),
    readDriverLogEnd(client, application, now, signal),
  ]);
  const base = {
    application, now, ...(operator && { operator }), ...(log.text !== undefined && { driverLog: log.text }),
    ...(log.isForbidden && { isLogForbidden: true }),
  };
  if (!pods) return base;
  const driverName = application.status?.driverInfo?.podName;
  const driver = pods.find(({ view }) => view.metadata.name === driverName);
  const executors = pods.filter(({ view }) => view.metadata.labels?.[LABEL_SPARK_ROLE] === 'executor');
  const room = await roomOf(nodes, [...(driver ? [driver] : []), ...executors]);
  return {
    ...base, driver: driver?.view, ...(room && { room }),
    executors: await executorViews(client, executors, stateOf(application) === ApplicationState.RUNNING, now, signal),
    isDriverGone: !driver && needsDriver(application, now),
  };
}

/**
 * Returns executors, one that a node prepares with the reason of its events.
 *
 * @param isExplained whether the state is explained by executors; otherwise no events are read
 */
export async function executorViews(
  client: KnownClient, executors: readonly KnownPod[], isExplained: boolean, now: number, signal?: AbortSignal,
): Promise<readonly PodView[]> {
  const views = executors.map(({ view }) => view);
  return isExplained ? withPreparation(views, now, async (pod) => readPodEvents(client, pod, signal)) : views;
}

/** Pod that was read. */
export interface KnownPod {
  readonly view: PodView;
  /** Specification of a pod that fits on no node. */
  readonly spec?: PodSpec;
}

/**
 * Lists the pods of an application or a server.
 *
 * @param label name of the label with the name of the object
 * @returns undefined if the user cannot list pods
 */
export async function podsOf(
  client: KnownClient, object: KubeObject, label: string, signal?: AbortSignal,
): Promise<KnownPod[] | undefined> {
  const { name, namespace } = object.metadata;
  const pods: KnownPod[] = [];
  try {
    for await (const pod of client.list(PODS, { namespace, labelSelector: `${label}=${name}`, signal })) {
      if (!isOwnPod(pod, object)) continue;
      const view = viewOf(pod);
      pods.push({ view, ...(lacksRoom(view.obstacle?.message) && { spec: (pod as KubeObject & { readonly spec?: PodSpec }).spec }) });
    }
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return undefined;
  }
  return pods;
}

/** Returns the first pod that fits on no node, with the nodes if the user can list them. */
export async function roomOf(read: ReadNodes, pods: readonly KnownPod[]): Promise<Room | undefined> {
  const found = pods.find(({ spec }) => spec !== undefined);
  if (!found) return undefined;
  const role = found.view.metadata.labels?.[LABEL_SPARK_ROLE] === 'executor' ? 'executor' : 'driver';
  const nodes = await read();
  return { role, pod: found.spec!, ...(nodes && { nodes }) };
}
