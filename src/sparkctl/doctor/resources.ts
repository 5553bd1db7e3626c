import type { KubeObject } from '../../kube/objects';
import { defineResource } from '../../kube/resource';

/** ResourceQuota; only the fields that are read. */
export interface ResourceQuota extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly namespace: string };
  readonly status?: { readonly hard?: Readonly<Record<string, string>>; readonly used?: Readonly<Record<string, string>> };
}

/** Event; only the fields that are read. */
export interface PodEvent extends KubeObject {
  readonly reason?: string;
  readonly message?: string;
  readonly lastTimestamp?: string;
  readonly eventTime?: string;
  readonly series?: { readonly lastObservedTime?: string };
  readonly involvedObject?: { readonly kind?: string; readonly name?: string; readonly namespace?: string; readonly uid?: string };
}

/** Endpoints of a Service; only the fields that are read. */
export interface EndpointSlice extends KubeObject {
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[];
}

export const RESOURCE_QUOTAS = defineResource<ResourceQuota>({
  group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true,
});
export const EVENTS = defineResource<PodEvent>({ group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true });
export const ENDPOINT_SLICES = defineResource<EndpointSlice>({
  group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice', plural: 'endpointslices', namespaced: true,
});
