import type { ObjectMeta } from '../kube/objects';

/** Metadata as it is kept in memory: without who has written which field, often the larger half of an object, and without the copy of the whole object that `kubectl apply` leaves in an annotation. */
export function keptMetadata<M extends ObjectMeta>(metadata: M): M {
  const { managedFields: _, annotations, ...others } = metadata as M & { readonly managedFields?: unknown };
  const { 'kubectl.kubernetes.io/last-applied-configuration': __, ...kept } = annotations ?? {};
  return { ...others, ...(annotations && { annotations: kept }) } as M;
}
