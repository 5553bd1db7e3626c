import { defineResource } from '../kube/resource';
import { POD } from './pod-message';
import type { RawPod } from './pod-view';
import type {
  ConfigMap, HttpRoute, Ingress, NetworkPolicy, PersistentVolumeClaim, Pod, PodDisruptionBudget, Secret, Service,
  WebhookConfiguration,
} from './kubernetes-objects';
import type { WholeSchedule } from './scheduled-spark-application';
import type { WholeApplication } from './spark-application';
import type { WholeConnect } from './spark-connect';
import { SCHEDULED_SPARK_APPLICATION } from '../api/scheduled-spark-application';
import { SPARK_APPLICATION } from '../api/spark-application';
import { SPARK_CONNECT } from '../api/spark-connect';

/* The kinds that the operator reads and writes. */

export const SPARK_APPLICATIONS = defineResource<WholeApplication>({ ...SPARK_APPLICATION, namespaced: true });
export const SPARK_CONNECTS = defineResource<WholeConnect>({ ...SPARK_CONNECT, namespaced: true });
export const SCHEDULED_SPARK_APPLICATIONS = defineResource<WholeSchedule>({ ...SCHEDULED_SPARK_APPLICATION, namespaced: true });
export const NAMESPACES = defineResource({ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false });
export const PODS = defineResource<Pod>({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true });

/** Pods with the fields that `viewOf` reads, for lists and watches. */
export const VIEWED_PODS = defineResource<RawPod>({ ...PODS, protobuf: POD });
export const SERVICES = defineResource<Service>({ group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true });
export const CONFIG_MAPS = defineResource<ConfigMap>({
  group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true,
});
export const SECRETS = defineResource<Secret>({ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true });
export const PERSISTENT_VOLUME_CLAIMS = defineResource<PersistentVolumeClaim>({
  group: '', version: 'v1', kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', namespaced: true,
});
export const NETWORK_POLICIES = defineResource<NetworkPolicy>({
  group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy', plural: 'networkpolicies', namespaced: true,
});
export const INGRESSES = defineResource<Ingress>({
  group: 'networking.k8s.io', version: 'v1', kind: 'Ingress', plural: 'ingresses', namespaced: true,
});
export const HTTP_ROUTES = defineResource<HttpRoute>({
  group: 'gateway.networking.k8s.io', version: 'v1', kind: 'HTTPRoute', plural: 'httproutes', namespaced: true,
});
export const POD_DISRUPTION_BUDGETS = defineResource<PodDisruptionBudget>({
  group: 'policy', version: 'v1', kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', namespaced: true,
});
export const MUTATING_WEBHOOK_CONFIGURATIONS = defineResource<WebhookConfiguration>({
  group: 'admissionregistration.k8s.io', version: 'v1', kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations', namespaced: false,
});
export const VALIDATING_WEBHOOK_CONFIGURATIONS = defineResource<WebhookConfiguration>({
  group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations', namespaced: false,
});
