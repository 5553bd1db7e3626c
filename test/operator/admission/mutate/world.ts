import type { AdmissionRequest } from '../../../../src/operator/admission/review';
import type { AdmissionDependencies } from '../../../../src/operator/admission/dependencies';
import type { KubeObject } from '../../../../src/kube/objects';
import type { WholeApplication } from '../../../../src/model/spark-application';

/** Dependencies with one namespace, `jobs`, and these applications in it. */
export function world(applications: readonly object[] = [], more: Partial<AdmissionDependencies> = {}): AdmissionDependencies {
  return {
    isSelected: (namespace) => namespace === 'jobs',
    submission: { mode: 'auto', sparkUser: 'spark', podWebhook: true },
    application: async (namespace, name, isMeant) => (
      (applications as readonly WholeApplication[]).find((one) => one.metadata.namespace === namespace && one.metadata.name === name
        && isMeant(one))
    ),
    ...more,
  };
}

/** Returns a review of the creation of an object. */
export function creation(object: object, more: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const { kind = '', metadata } = object as KubeObject;
  const [group, version] = kind === 'Pod' ? ['', 'v1'] : ['sparkoperator.k8s.io', 'v1beta2'];
  return {
    uid: 'u', operation: 'CREATE', kind: {
      group: group!, version: version!, kind,
    }, namespace: 'jobs', name: metadata?.name, object: object as KubeObject, dryRun: false, ...more,
  };
}

/** Returns a review of the update of an object. */
export function update(oldObject: object, object: object, more: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return creation(object, { operation: 'UPDATE', oldObject: oldObject as KubeObject, ...more });
}
