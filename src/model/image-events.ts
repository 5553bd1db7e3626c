import { isImageReason } from './obstacle';

/** Event; only the fields that are read. */
export interface ImageEvent {
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
  readonly lastTimestamp?: string | null;
  readonly involvedObject: { readonly kind?: string; readonly name?: string };
}

/** Messages of the kubelet with an image: before and after a pull, and during the backoff. */
const IMAGE = /(?:[Pp]ulling image|[Ff]ailed to pull image|Failed to apply default image tag|Container image) "([^"]+)"/;

/** Message of the kubelet about an image that needs no pull: an event of its own, no failure. */
const PRESENT = /^Container image "[^"]+" already present/;

/** Messages of the kubelet about a container, without its image. */
const CONTAINER_ERROR = /^Error: (\w+)/;

/** Message of the operator about a driver that does not start. */
const DRIVER_PENDING = /does not start: (\w+)/;

/**
 * Folds the events about an image that cannot be pulled into one for each image, and those of the
 * operator about the driver that waits for it into one: the kubelet alternates between five events
 * with each attempt, for each pod. The folded event has the registry's answer, the number of failed
 * pulls, and the time of the newest failure.
 *
 * @param events the oldest first
 * @param timeOf returns the time of an event, in milliseconds since 1970
 */
export function foldImageEvents<E extends ImageEvent>(events: readonly E[], timeOf: (event: E) => number): E[] {
  const images = new Map<string, string>();
  for (const { involvedObject: { name = '' }, message = '' } of events) {
    const [, image] = IMAGE.exec(message) ?? [];
    if (image !== undefined) images.set(name, image);
  }
  const groups = new Map<string, E[]>();
  const others: E[] = [];
  for (const event of events) {
    const key = groupOf(event, images);
    if (key === undefined) others.push(event);
    else groups.set(key, [...groups.get(key) ?? [], event]);
  }
  const folded = [...groups.values()].flatMap((group) => (group.some(isFailure) ? [fold(group, timeOf)] : group));
  return [...others, ...folded].sort((a, b) => timeOf(a) - timeOf(b));
}

/** Returns the key of the events that are folded with this one; undefined for others. */
function groupOf({ reason, message = '', involvedObject: { kind, name = '' } }: ImageEvent, images: ReadonlyMap<string, string>): string | undefined {
  if (reason === 'SparkDriverPending') {
    const [, obstacle = ''] = DRIVER_PENDING.exec(message) ?? [];
    return isImageReason(obstacle) ? `${kind}/${name}` : undefined;
  }
  if (kind !== 'Pod' || PRESENT.test(message)) return undefined;
  const [, error = ''] = CONTAINER_ERROR.exec(message) ?? [];
  return IMAGE.test(message) || isImageReason(error) ? `image ${images.get(name) ?? name}` : undefined;
}

function isFailure({ reason, message = '' }: ImageEvent): boolean {
  return reason === 'SparkDriverPending' || /failed|back-off|error/i.test(message);
}

function fold<E extends ImageEvent>(group: readonly E[], timeOf: (event: E) => number): E {
  const failures = group.filter(isFailure);
  // Events about a pull have the registry's answer; those of the backoff do not.
  const answers = group.filter(({ message }) => /failed to pull image/i.test(message ?? ''));
  const kept = (answers.length > 0 ? answers : failures).at(-1)!;
  const counted = answers.length > 0 || kept.reason === 'SparkDriverPending' ? group.filter(({ reason, message = '' }) => (
    reason === 'SparkDriverPending' || /failed to pull image/i.test(message)
  )) : [kept];
  const names = new Set(failures.map(({ involvedObject }) => involvedObject.name));
  const name = names.size === 1 ? kept.involvedObject.name : `${kept.involvedObject.name} and ${names.size - 1} more`;
  return {
    ...kept, series: undefined, involvedObject: { ...kept.involvedObject, name },
    count: counted.reduce((sum, { series, count }) => sum + (series?.count ?? count ?? 1), 0),
    lastTimestamp: new Date(Math.max(...failures.map(timeOf))).toISOString(),
  };
}
