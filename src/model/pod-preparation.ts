import { boundedText, MAX_MESSAGE, MAX_NAME } from '../text/bounded-text';
import { withoutSecrets } from '../text/redaction';
import { isMissingVolume, isStuckReason, isUsualDelay } from './obstacle';
import type { Obstacle, PodView } from './pod-view';

/** Event of a pod; only the fields that are read. */
export interface PodEvent {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly lastObservedTime?: string };
  readonly metadata: { readonly creationTimestamp?: string };
}

/**
 * Whether a node prepares the pod without progress in its status. Volumes, sandbox and network
 * precede the status of containers, and only events report their problems.
 */
export function isPreparing(pod: PodView): boolean {
  return pod.phase === 'Pending' && pod.startTime !== undefined && (!pod.obstacle || pod.obstacle.isFromEvents === true);
}

/** Message of the kubelet's event `Failed` with the reason that the container's status gets. */
const FAILED_CONTAINER = /^Error: (\w+)$/;

/**
 * Returns the obstacle by the events of a pod during its preparation. The last one applies: after a
 * problem is gone, there is a newer one.
 */
export function obstacleIn(events: readonly PodEvent[]): Obstacle | undefined {
  const last = [...events].sort((a, b) => timeOf(a) - timeOf(b)).at(-1);
  if (last?.type !== 'Warning' || isUsualDelay(last.message ?? '')) return undefined;
  const [, failed = ''] = FAILED_CONTAINER.exec(last.message ?? '') ?? [];
  // The kubelet writes the event before the status.
  if (isStuckReason(failed)) return { reason: failed, passes: false, isFromEvents: true };
  const isMissing = isMissingVolume(last.reason, last.message ?? '');
  return {
    reason: boundedText(last.reason ?? '', MAX_NAME), message: boundedText(withoutSecrets(last.message ?? ''), MAX_MESSAGE), passes: !isMissing,
    isFromEvents: true,
  };
}

/**
 * Returns the time of an event. Older components write events with a count, newer ones with a
 * series.
 */
function timeOf({ lastTimestamp, eventTime, series, metadata }: PodEvent): number {
  const times = [lastTimestamp, series?.lastObservedTime, eventTime, metadata.creationTimestamp].map((time) => Date.parse(time ?? ''));
  return Math.max(0, ...times.filter((time) => !Number.isNaN(time)));
}
