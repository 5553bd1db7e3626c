import { defineResource } from '../../kube/resource';
import type { KubeClient } from '../../kube/client';
import { preciseTime } from '../../kube/events';
import { compareResourceVersions, type KubeObject } from '../../kube/objects';
import { foldImageEvents } from '../../model/image-events';
import { PODS } from '../../model/resources';

/** Event of the core API, which also returns those that clients write by the newer API. */
export interface Event extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
  readonly involvedObject: { readonly kind?: string; readonly name?: string; readonly namespace?: string; readonly uid?: string };
  readonly reportingComponent?: string;
  readonly source?: { readonly component?: string };
}

export const EVENTS = defineResource<Event>({ group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true });

/** Returns the last time of an event, in milliseconds since 1970; 0 if unknown. */
export function timeOf({ series, lastTimestamp, eventTime, firstTimestamp, metadata }: Event): number {
  const times = [series?.lastObservedTime, lastTimestamp, eventTime, firstTimestamp, metadata.creationTimestamp];
  return times.map((time) => Date.parse(time ?? '')).find(Number.isFinite) ?? 0;
}

/** Returns the number of occurrences of an event. */
export function countOf({ series, count }: Event): number {
  return series?.count ?? count ?? 1;
}

/** Objects of events: one, or those whose names match a pattern. */
export interface Involved {
  readonly kind: string;
  readonly name: string | RegExp;
}

/** Names of executors, with the prefix that those of one driver have in common. */
const EXECUTORS = /\b([a-z0-9][a-z0-9.-]*)-exec-\d+\b/g;

/** Whether the operator reports executors of an application by their names. */
function isOfExecutors({ reason }: Event): boolean {
  return reason?.startsWith('SparkExecutor') === true;
}

/**
 * Lists the events of some objects in a namespace, the oldest first. They include those of the
 * executors that events of an application name: the program can choose the beginning of their
 * names, and the status only has those of the last attempt. Events about an image that cannot be
 * pulled are folded into one. For several objects, the API server reads all events of the
 * namespace.
 *
 * @param since creation of the object, so that events of a deleted one with the same name are left
 * out. @default - there is no such object any more
 */
export async function eventsOf(
  client: KubeClient, namespace: string, objects: readonly Involved[], since?: string, signal?: AbortSignal,
): Promise<Event[]> {
  const wanted = new Set(objects.map(({ kind, name }) => `${kind}/${String(name)}`));
  const patterns = objects.filter((object): object is Involved & { readonly name: RegExp } => typeof object.name !== 'string');
  const [found, ofPods]: [Event[], Event[]] = [[], []];
  const [only, ...others] = objects;
  const fieldSelector = only && others.length === 0 ? `involvedObject.kind=${only.kind},involvedObject.name=${String(only.name)}` : undefined;
  for await (const event of client.list(EVENTS, { namespace, fieldSelector, signal })) {
    const { kind, name } = event.involvedObject;
    const time = timeOf(event);
    if (time > 0 && time < Date.parse(since ?? '')) continue;
    if (wanted.has(`${kind}/${name}`) || patterns.some((each) => each.kind === kind && each.name.test(name ?? ''))) found.push(event);
    else if (kind === PODS.kind) ofPods.push(event);
  }
  const prefixes = new Set(found.filter(isOfExecutors).flatMap(({ message = '' }) => [...message.matchAll(EXECUTORS)].map(([, prefix]) => prefix)));
  found.push(...ofPods.filter(({ involvedObject: { name = '' } }) => prefixes.has([...name.matchAll(EXECUTORS)][0]?.[1])));
  return foldImageEvents(found.sort((a, b) => preciseTimeOf(a) - preciseTimeOf(b) || orderOf(a, b)), preciseTimeOf);
}

/** Returns the last time of an event, with the fraction of its second if that is known. */
export function preciseTimeOf(event: Event): number {
  return preciseTime(event, timeOf(event));
}

/** Orders events of the same time as the API server stored them. */
function orderOf(a: Event, b: Event): number {
  return compareResourceVersions(a.metadata.resourceVersion, b.metadata.resourceVersion) ?? 0;
}
