import type { KubeClient } from '../../kube/client';
import { EVENTS, type KubeEvent } from '../../kube/events';
import { isMissingVolume } from '../obstacle';
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
 * Milliseconds of a node's preparation after which the events of a pod are worth a request: only a
 * problem lets it take longer, or a large image.
 */
export const FIRST_LOOK = 5_000;

/**
 * Adds to the executor that a node has prepared for longest the reason why it does not start, which
 * only its events have; to all that are prepared if a volume's content is missing, as they share
 * it. If another executor has a reason, or the events cannot be read, they stay as they are.
 *
 * @param now in milliseconds since 1970
 */
export async function withPreparation(executors: readonly PodView[], now: number, read: ReadPodEvents): Promise<readonly PodView[]> {
  if (executors.some(({ obstacle }) => obstacle)) return executors;
  const [longest] = executors.filter((pod) => isPrepared(pod) && now - startOf(pod) >= FIRST_LOOK)
    .sort((a, b) => startOf(a) - startOf(b));
  if (!longest) return executors;
  // The explanation does without it.
  const obstacle = obstacleIn(await read(longest).catch(() => []));
  const isShared = obstacle && isMissingVolume(obstacle.reason, obstacle.message ?? '');
  return obstacle
    ? executors.map((pod) => (pod === longest || (isShared && isPrepared(pod)) ? { ...pod, obstacle } : pod))
    : executors;
}

/** Whether a node prepares a pod that is wanted. */
function isPrepared(pod: PodView): boolean {
  return isPreparing(pod) && !pod.metadata.deletionTimestamp;
}

function startOf({ startTime }: PodView): number {
  return Date.parse(startTime!);
}
