import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import type { PodEvent } from './resources';
import { shortDuration } from '../../text/duration';

const findings = findingsOf('Images');

/** Milliseconds; older events are ignored. */
const RECENT = 3_600_000;

/** Messages of the kubelet about a failed pull: after an attempt, and during the backoff. */
const IMAGE = /(?:[Ff]ailed to pull image|Back-off pulling image|Failed to apply default image tag|Container image) "([^"]+)"/;

/** Maximum number of images that are named; the rest is counted. */
const MAX_IMAGES = 5;

/**
 * Finds images that could not be pulled in a namespace in the last hour.
 *
 * @param now milliseconds since 1970
 */
export function imageFindings(namespace: string, reading: Reading<readonly PodEvent[]>, now: number): Finding[] {
  if (isUnreadable(reading)) return [unreadable(findings, `the events of ${namespace}, which report failed image pulls`, reading)];
  const events = reading.kind === 'found' ? reading.value : [];
  const images = new Map<string, { pods: Set<string>; latest: PodEvent; at: number }>();
  for (const event of events) {
    const [image, at] = [imageIn(event), timeOf(event)];
    if (image === undefined || !(now - at <= RECENT)) continue;
    const { pods, latest, at: before } = images.get(image) ?? { pods: new Set<string>(), latest: event, at: -Infinity };
    // Events of attempts have the reason; those of the backoff do not.
    const isBetter = event.reason === latest.reason ? at > before : event.reason === 'Failed';
    images.set(image, { pods: pods.add(event.involvedObject?.name ?? ''), latest: isBetter ? event : latest, at: Math.max(at, before) });
  }
  if (images.size === 0) return [findings.ok(`no pull failed in ${namespace} in the last hour`)];
  const found = [...images].slice(0, MAX_IMAGES).map(([image, { pods, latest, at }]) => findings.error(
    `${image} could not be pulled for ${pods.size === 1 ? `pod ${namespace}/${[...pods][0]}` : `${pods.size} pods in ${namespace}`} `
      + `${shortDuration(now - at)} ago: ${latest.message?.trim()}`,
    `kubectl describe pod -n ${namespace} ${[...pods].at(-1)}`,
  ));
  const more = images.size - found.length;
  return more > 0
    ? [...found, findings.error(`and ${more} more images`, `kubectl get events -n ${namespace} --field-selector reason=Failed`)]
    : found;
}

function imageIn({ reason, message = '' }: PodEvent): string | undefined {
  return reason === 'Failed' || reason === 'BackOff' || reason === 'ErrImageNeverPull' || reason === 'InspectFailed'
    ? IMAGE.exec(message)?.[1]
    : undefined;
}

function timeOf({ series, lastTimestamp, eventTime, metadata }: PodEvent): number {
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
}
