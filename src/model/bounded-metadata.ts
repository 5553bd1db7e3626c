import { createHash } from 'node:crypto';
import {
  ANNOTATION_RUN_NOW, ANNOTATION_SCHEDULED_AT, ANNOTATION_SUBMISSION_MODE, ANNOTATION_TRIGGER, LABEL_SCHEDULED_APP_NAME,
} from '../api/labels';
import type { ObjectMeta, OwnerReference } from '../kube/objects';
import { QUEUE_NAME } from './kueue';

/**
 * Returns metadata without managed fields, often the larger half of an object, and without the copy
 * of the object in `kubectl apply`'s annotation.
 */
export function boundedMetadata<M extends ObjectMeta>(metadata: M): M {
  const { managedFields: _, annotations, ...others } = metadata as M & { readonly managedFields?: unknown };
  const { 'kubectl.kubernetes.io/last-applied-configuration': __, ...kept } = annotations ?? {};
  return { ...others, ...(annotations && { annotations: kept }) } as M;
}

/** Labels and annotations that the operator reads from objects in memory. */
const READ_LABELS: readonly string[] = [LABEL_SCHEDULED_APP_NAME, QUEUE_NAME];
const READ_ANNOTATIONS: readonly string[] = [ANNOTATION_RUN_NOW, ANNOTATION_SCHEDULED_AT, ANNOTATION_SUBMISSION_MODE, ANNOTATION_TRIGGER];

/** Maximum number of other labels to keep of a large object, for the labels of metrics. */
const MAX_OTHER_LABELS = 20;

/** Maximum number of owner references to keep of a large object. */
const MAX_OWNERS = 5;

/** Maximum size of an owner reference to keep, in characters of its JSON. */
const MAX_OWNER_BYTES = 1_024;

/** Maximum length of an annotation's value to keep, in characters. */
const MAX_VALUE = 253;

/**
 * Returns the value of an annotation to keep: a hash if it is long, so that a change is still
 * visible. Times, triggers and modes are never that long.
 */
export function boundedValue(value: string): string {
  return value.length <= MAX_VALUE ? value : `sha256:${createHash('sha256').update(value).digest('hex')}`;
}

/**
 * Returns owner references without large ones, which cannot refer to an object. Their fields have
 * no limit of length.
 */
export function boundedOwners(owners: readonly OwnerReference[]): OwnerReference[] {
  return owners.filter((owner) => JSON.stringify(owner).length <= MAX_OWNER_BYTES);
}

/**
 * Returns the metadata of a large object, without fields of unlimited size. The operator reads the
 * rest from the API server.
 */
export function shortMetadata<M extends ObjectMeta>(metadata: M): M {
  const { labels, annotations, ownerReferences, finalizers: _, ...rest } = metadata;
  const all = Object.entries(labels ?? {});
  const isRead = ([name]: [string, string]) => READ_LABELS.includes(name);
  const others = all.filter((label) => !isRead(label)).slice(0, MAX_OTHER_LABELS);
  const read = Object.entries(annotations ?? {}).filter(([name]) => READ_ANNOTATIONS.includes(name));
  const owners = boundedOwners(ownerReferences ?? []).sort((a, b) => Number(b.controller ?? false) - Number(a.controller ?? false));
  return {
    ...rest,
    ...(labels && { labels: Object.fromEntries([...all.filter(isRead), ...others]) }),
    ...(annotations && { annotations: Object.fromEntries(read.map(([name, value]) => [name, boundedValue(value)])) }),
    ...(ownerReferences && { ownerReferences: owners.slice(0, MAX_OWNERS) }),
  } as M;
}
