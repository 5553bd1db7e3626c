import type { ObjectMeta } from '../kube/objects';

/** Metadata as it is kept in memory: without who has written which field, often the larger half of an object, and without the copy of the whole object that `kubectl apply` leaves in an annotation. */
export function keptMetadata<M extends ObjectMeta>(metadata: M): M {
  const { managedFields: _, annotations, ...others } = metadata as M & { readonly managedFields?: unknown };
  const { 'kubectl.kubernetes.io/last-applied-configuration': __, ...kept } = annotations ?? {};
  return { ...others, ...(annotations && { annotations: kept }) } as M;
}

/** Labels and annotations that the operator reads itself. */
const OWN = /^(sparkoperator\.k8s\.io|kueue\.x-k8s\.io)\//;
/** Other labels that are kept of a large object, for the labels of metrics; and its owners. */
const MAX_OTHERS = 50;

/**
 * Returns the metadata of a large object, of which the operator reads the rest from the API server:
 * without what has no bound there.
 */
export function shortMetadata<M extends ObjectMeta>(metadata: M): M {
  const { labels, annotations, ownerReferences, finalizers: _, ...others } = metadata;
  const isOwn = ([name]: [string, string]) => OWN.test(name);
  const all = Object.entries(labels ?? {});
  const owners = [...ownerReferences ?? []].sort((a, b) => Number(b.controller ?? false) - Number(a.controller ?? false));
  return {
    ...others,
    ...(labels && { labels: Object.fromEntries([...all.filter(isOwn), ...all.filter((label) => !isOwn(label)).slice(0, MAX_OTHERS)]) }),
    ...(annotations && { annotations: Object.fromEntries(Object.entries(annotations).filter(isOwn)) }),
    ...(ownerReferences && { ownerReferences: owners.slice(0, MAX_OTHERS) }),
  } as M;
}
