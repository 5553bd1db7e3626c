import { apiVersionOf } from '../api/kind';
import { SPARK_APPLICATION } from '../api/spark-application';
import type { ObjectMeta, OwnerReference } from '../kube/objects';
import type { StringMap } from './kubernetes-objects';

/** Metadata that marks an object as part of one submission of one application. */
export interface Ownership {
  readonly namespace: string;
  /**
   * Reference to the application. When the application is deleted, Kubernetes deletes the object.
   */
  readonly owner: OwnerReference;
  /** The operator's labels. */
  readonly labels: StringMap;
}

/**
 * Returns a reference to the application as owner. It does not set blockOwnerDeletion, which needs
 * a further permission and makes foreground deletions wait for each object.
 */
export function ownerOf({ metadata }: { readonly metadata: { readonly name: string; readonly uid: string } }): OwnerReference {
  return {
    apiVersion: apiVersionOf(SPARK_APPLICATION), kind: SPARK_APPLICATION.kind, name: metadata.name, uid: metadata.uid, controller: true,
  };
}

/**
 * Returns an object with its namespace, the application as owner, and the operator's labels.
 *
 * spark-submit makes the Pod the owner of the Service and the ConfigMap, and so creates them after
 * the Pod. Until they exist, the kubelet cannot mount the Pod's volumes. The operator makes the
 * application the owner, and so creates them first.
 */
export function owned<T extends { metadata: ObjectMeta }>(object: T, { namespace, owner, labels }: Ownership): T {
  const others = (object.metadata.ownerReferences ?? []).filter(({ controller }) => !controller);
  return {
    ...object,
    metadata: {
      ...object.metadata,
      namespace,
      labels: { ...object.metadata.labels, ...labels },
      ownerReferences: [owner, ...others.map(({ blockOwnerDeletion: _, ...other }) => other)],
    },
  };
}
