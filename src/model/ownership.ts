import { apiVersionOf } from '../api/kind';
import { SPARK_APPLICATION } from '../api/spark-application';
import type { ObjectMeta, OwnerReference } from '../kube/objects';
import type { StringMap } from './kubernetes-objects';

/** What makes an object recognisable as part of one submission of one application. */
export interface Ownership {
  readonly namespace: string;
  /** The application: when it is deleted, Kubernetes deletes the object. */
  readonly owner: OwnerReference;
  /** The operator's labels. */
  readonly labels: StringMap;
}

/**
 * The application as an owner. It does not block its own deletion: that would need a right of its own, and a foreground deletion would wait
 * for each object.
 */
export function ownerOf({ metadata }: { readonly metadata: { readonly name: string; readonly uid: string } }): OwnerReference {
  return { apiVersion: apiVersionOf(SPARK_APPLICATION), kind: SPARK_APPLICATION.kind, name: metadata.name, uid: metadata.uid, controller: true };
}

/**
 * Puts an object into its namespace, under the application, with the operator's labels.
 *
 * spark-submit makes the Pod the owner of Service and ConfigMap, and must therefore create them after it: until they
 * exist, the kubelet cannot mount what the Pod needs. Under the application, they are created first.
 */
export function owned<T extends { metadata: ObjectMeta }>(object: T, { namespace, owner, labels }: Ownership): T {
  return {
    ...object,
    metadata: {
      ...object.metadata,
      namespace,
      labels: { ...object.metadata.labels, ...labels },
      ownerReferences: [owner, ...(object.metadata.ownerReferences ?? []).filter(({ controller }) => !controller).map(({ blockOwnerDeletion: _, ...other }) => other)],
    },
  };
}
