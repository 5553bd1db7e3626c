import { defineResource } from '../../kube/resource';
import type { KubeClient } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';

/** An Event of the core API; what is written by the newer one can be read by it. */
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

/** When it happened last, in milliseconds since 1970; 0 if nobody says. */
export function timeOf({ series, lastTimestamp, eventTime, firstTimestamp, metadata }: Event): number {
  const times = [series?.lastObservedTime, lastTimestamp, eventTime, firstTimestamp, metadata.creationTimestamp];
  return times.map((time) => Date.parse(time ?? '')).find(Number.isFinite) ?? 0;
}

/** How often it happened. */
export function countOf({ series, count }: Event): number {
  return series?.count ?? count ?? 1;
}

/** What an event is about. */
export interface Involved {
  readonly kind: string;
  readonly name: string;
}

/** The events of objects of a namespace, the oldest first. Each of the calls takes the API server as long as all events of the namespace. */
export async function eventsOf(client: KubeClient, namespace: string, objects: readonly Involved[], signal?: AbortSignal): Promise<Event[]> {
  const wanted = new Set(objects.map(({ kind, name }) => `${kind}/${name}`));
  const found: Event[] = [];
  const [only, ...others] = objects;
  const fieldSelector = only && others.length === 0 ? `involvedObject.kind=${only.kind},involvedObject.name=${only.name}` : undefined;
  for await (const event of client.list(EVENTS, { namespace, fieldSelector, signal })) {
    const { kind, name } = event.involvedObject;
    if (wanted.has(`${kind}/${name}`)) found.push(event);
  }
  return found.sort((a, b) => timeOf(a) - timeOf(b));
}
