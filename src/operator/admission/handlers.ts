import { podMutator } from './mutate/pod';
import { sparkApplicationDefaulter } from './mutate/spark-application';
import { ALLOWED, type AdmissionHandler } from './review';
import { scheduledSparkApplicationValidator } from './validate/scheduled-spark-application';
import { sparkApplicationValidator } from './validate/spark-application';
import { sparkConnectValidator } from './validate/spark-connect';
import type { AdmissionDependencies } from './dependencies';

/**
 * Accepts everything. The CRD contains the defaults of these kinds. The paths exist for
 * configurations written for kubeflow's operator.
 */
const nothing: AdmissionHandler = () => ALLOWED;

/**
 * Returns the handlers by path. The paths are those of kubeflow's operator, derived from group,
 * version and kind.
 */
export function admissionHandlers(dependencies: AdmissionDependencies): Readonly<Record<string, AdmissionHandler>> {
  return {
    '/mutate--v1-pod': podMutator(dependencies),
    '/mutate-sparkoperator-k8s-io-v1beta2-sparkapplication': sparkApplicationDefaulter(dependencies),
    '/mutate-sparkoperator-k8s-io-v1beta2-scheduledsparkapplication': nothing,
    '/mutate-sparkoperator-k8s-io-v1alpha1-sparkconnect': nothing,
    '/validate-sparkoperator-k8s-io-v1beta2-sparkapplication': sparkApplicationValidator(dependencies),
    '/validate-sparkoperator-k8s-io-v1beta2-scheduledsparkapplication': scheduledSparkApplicationValidator(dependencies),
    '/validate-sparkoperator-k8s-io-v1alpha1-sparkconnect': sparkConnectValidator(dependencies),
  };
}
