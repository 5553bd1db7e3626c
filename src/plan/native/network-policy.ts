import { LABEL_SPARK_APP_SELECTOR, LABEL_SPARK_ROLE } from '../../api/labels';
import type { NetworkPolicy, StringMap } from '../../model/kubernetes-objects';
import type { FeatureStep } from './feature-step';

/** The NetworkPolicy of executors (NetworkPolicyFeatureStep). */
export const networkPolicy: FeatureStep = ({ identity, namespace }) => ({
  resources: [executorPolicy(`${identity.resourcePrefix}-policy`, namespace, { [LABEL_SPARK_APP_SELECTOR]: identity.applicationId })],
});

/**
 * Returns the NetworkPolicy by which executors only accept connections from the driver and from
 * each other.
 *
 * @param application labels of the driver and the executors of one application
 */
export function executorPolicy(name: string, namespace: string, application: StringMap): NetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace, labels: application },
    spec: {
      podSelector: { matchLabels: { ...application, [LABEL_SPARK_ROLE]: 'executor' } },
      ingress: [{ from: [{ podSelector: { matchLabels: application } }] }],
    },
  };
}
