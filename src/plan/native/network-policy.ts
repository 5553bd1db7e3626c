import { LABEL_SPARK_APP_SELECTOR, LABEL_SPARK_ROLE } from '../../api/labels';
import type { NetworkPolicy } from '../../model/kubernetes-objects';
import type { FeatureStep } from './feature-step';

/**
 * Creates the NetworkPolicy by which executors only accept connections from the driver and from
 * each other (NetworkPolicyFeatureStep).
 */
export const networkPolicy: FeatureStep = ({ identity, namespace }) => {
  const application = { [LABEL_SPARK_APP_SELECTOR]: identity.applicationId };
  const policy: NetworkPolicy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `${identity.resourcePrefix}-policy`, namespace, labels: application },
    spec: {
      podSelector: { matchLabels: { ...application, [LABEL_SPARK_ROLE]: 'executor' } },
      ingress: [{ from: [{ podSelector: { matchLabels: application } }] }],
    },
  };
  return { resources: [policy] };
};
