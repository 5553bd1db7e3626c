import { defineResource } from '../../kube/resource';
import type { KubeClient } from '../../kube/client';
import type { KubeObject, Ref } from '../../kube/objects';

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

/** The events of objects of a namespace, the oldest first. Each of the calls takes the API server as long as all events of the namespace. */
export async function eventsOf(client: KubeClient, namespace: string, names: readonly Ref['name'][], signal?: AbortSignal): Promise<Event[]> {
  const wanted = new Set(names);
  const found: Event[] = [];
  const fieldSelector = names.length === 1 ? `involvedObject.name=${names[0]}` : undefined;
  for await (const event of client.list(EVENTS, { namespace, fieldSelector, signal })) {
    if (wanted.has(event.involvedObject.name ?? '')) found.push(event);
  }
  return found.sort((a, b) => timeOf(a) - timeOf(b));
}
