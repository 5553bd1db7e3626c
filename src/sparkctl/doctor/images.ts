import { type Finding, findingsOf } from './finding';
import { isUnseen, unseen, type Reading } from './look';
import type { PodEvent } from './resources';
import { shortDuration } from '../../text/duration';

const findings = findingsOf('Images');

/** Older events are of what is over, in milliseconds. */
const RECENT = 3_600_000;

/** What the kubelet says of an image that does not come: when it has tried, and when it waits before the next time. */
const IMAGE = /(?:[Ff]ailed to pull image|Back-off pulling image|Failed to apply default image tag|Container image) "([^"]+)"/;

/** Images that are named; of more it is said how many. */
const MAX_IMAGES = 5;

/** Whether images of a namespace could not be pulled in the last hour. @param now milliseconds since 1970 */
export function imageFindings(namespace: string, looked: Reading<readonly PodEvent[]>, now: number): Finding[] {
  if (isUnseen(looked)) return [unseen(findings, `the events of ${namespace}, which tell of images`, looked)];
  const events = looked.kind === 'found' ? looked.value : [];
  const images = new Map<string, { pods: Set<string>; latest: PodEvent; at: number }>();
  for (const event of events) {
    const [image, at] = [imageIn(event), timeOf(event)];
    if (image === undefined || !(now - at <= RECENT)) continue;
    const { pods, latest, at: before } = images.get(image) ?? { pods: new Set<string>(), latest: event, at: -Infinity };
    // What was tried says why; that it is waited does not.
    const isBetter = event.reason === latest.reason ? at > before : event.reason === 'Failed';
    images.set(image, { pods: pods.add(event.involvedObject?.name ?? ''), latest: isBetter ? event : latest, at: Math.max(at, before) });
  }
  if (images.size === 0) return [findings.ok(`none could not be pulled in ${namespace} in the last hour`)];
  const found = [...images].slice(0, MAX_IMAGES).map(([image, { pods, latest, at }]) => findings.error(
    `${image} could not be pulled for ${pods.size === 1 ? `pod ${namespace}/${[...pods][0]}` : `${pods.size} pods in ${namespace}`} ${shortDuration(now - at)} ago: ${latest.message?.trim()}`,
    `kubectl describe pod -n ${namespace} ${[...pods].at(-1)}`,
  ));
  const more = images.size - found.length;
  return more > 0 ? [...found, findings.error(`and ${more} more images`, `kubectl get events -n ${namespace} --field-selector reason=Failed`)] : found;
}

function imageIn({ reason, message = '' }: PodEvent): string | undefined {
  return reason === 'Failed' || reason === 'BackOff' || reason === 'ErrImageNeverPull' || reason === 'InspectFailed' ? IMAGE.exec(message)?.[1] : undefined;
}

function timeOf({ series, lastTimestamp, eventTime, metadata }: PodEvent): number {
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
}
