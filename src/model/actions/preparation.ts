import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { EVENTS, type KubeEvent } from '../../kube/events';
import { isPreparing, obstacleIn, type PodEvent } from '../pod-preparation';
import type { PodView } from '../pod-view';

/** Reads the events of a pod. */
export type ReadPodEvents = (pod: PodView) => Promise<readonly PodEvent[]>;

/** Returns the field selector of a pod's events. */
export function eventsOfPod({ metadata: { uid } }: Pick<PodView, 'metadata'>): string {
  return `involvedObject.uid=${uid}`;
}

/** Lists the events of a pod. */
export async function readPodEvents(client: Pick<KubeClient, 'list'>, pod: PodView, signal?: AbortSignal): Promise<KubeEvent[]> {
  const { namespace } = pod.metadata;
  const events: KubeEvent[] = [];
  for await (const event of client.list(EVENTS, { namespace, fieldSelector: eventsOfPod(pod), signal })) events.push(event);
  return events;
}

/**
 * Adds to the first pod that a node prepares the reason why it does not start, which only its
 * events have. Other executors have the same volumes. Without the permission to read events, the
 * reason is unknown.
 */
export async function withPreparation(pods: readonly PodView[], read: ReadPodEvents): Promise<readonly PodView[]> {
  const index = pods.findIndex(isPreparing);
  const pod = pods[index];
  if (!pod) return pods;
  const obstacle = obstacleIn(await read(pod).catch((error: unknown) => {
    if (isForbidden(error)) return [];
    throw error;
  }));
  return obstacle ? pods.with(index, { ...pod, obstacle }) : pods;
}
