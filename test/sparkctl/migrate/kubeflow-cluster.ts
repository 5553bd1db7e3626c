/* Objects that kubeflow's chart leaves in a cluster: facts about names and fields, for tests. */
import { gzipSync } from 'node:zlib';

/** A release of kubeflow's chart, in tests. */
export interface ReleaseFacts {
  readonly name?: string;
  readonly namespace?: string;
  readonly values?: object;
  readonly revision?: number;
  readonly chart?: string;
}

/** Returns the Secret in which Helm stores a release. */
export function releaseSecret({ name = 'spark-operator', namespace = 'spark-operator', values = {}, revision = 1, chart = 'spark-operator' }: ReleaseFacts = {}): any {
  const stored = { name, namespace, version: revision, config: values, chart: { metadata: { name: chart, version: '2.5.0-rc.0' }, values: {} }, info: { status: 'deployed' } };
  const text = gzipSync(JSON.stringify(stored)).toString('base64');
  return {
    apiVersion: 'v1', kind: 'Secret', type: 'helm.sh/release.v1',
    metadata: { name: `sh.helm.release.v1.${name}.v${revision}`, namespace, labels: { owner: 'helm', status: 'deployed', name, version: String(revision) } },
    data: { release: Buffer.from(text).toString('base64') },
  };
}

const labelsOf = (component: string, release = 'spark-operator') => ({
  'app.kubernetes.io/name': 'spark-operator', 'app.kubernetes.io/instance': release, 'app.kubernetes.io/component': component,
});

/** Returns the Deployment of the chart's controller or webhook. */
export function kubeflowDeployment(component: 'controller' | 'webhook', args: readonly string[], namespace = 'spark-operator'): any {
  const labels = labelsOf(component);
  return {
    apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: `spark-operator-${component}`, namespace, labels: { ...labels, 'app.kubernetes.io/managed-by': 'Helm' } },
    spec: {
      replicas: 1, selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: `spark-operator-${component}`, image: 'example.org/kubeflow/spark-operator:2', args: [component, 'start', ...args] }] } },
    },
  };
}

/** Returns the webhook configuration of the chart. @param namespaces those that it reviews @default - all */
export function kubeflowWebhooks(name: string, namespaces?: readonly string[], namespace = 'spark-operator'): any {
  const webhook = {
    clientConfig: { service: { namespace, name: `${name}-svc`, path: '/mutate--v1-pod' } }, admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Ignore',
    ...(namespaces && { namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: namespaces }] } }),
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', metadata: { name },
    webhooks: [{
      ...webhook, name: 'mutate--v1-pod.sparkoperator.k8s.io', objectSelector: { matchLabels: { 'sparkoperator.k8s.io/launched-by-spark-operator': 'true' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
    }],
  };
}

/** Returns the account of drivers of the chart. */
export function driverAccount(namespace: string, annotations: object = {}): any {
  return {
    apiVersion: 'v1', kind: 'ServiceAccount',
    metadata: { name: 'spark-operator-spark', namespace, annotations: { 'meta.helm.sh/release-name': 'spark-operator', 'meta.helm.sh/release-namespace': 'spark-operator', ...annotations } },
  };
}

/** Returns an application with a state that kubeflow's operator has written. */
export function application(namespace: string, name: string, { state, ...spec }: { readonly state?: string; readonly [field: string]: unknown } = {}): any {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name, namespace },
    spec: {
      type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py',
      driver: { serviceAccount: 'spark-operator-spark' }, executor: {}, ...spec,
    },
    ...(state !== undefined && { status: { applicationState: { state }, driverInfo: {} } }),
  };
}

/** Returns a schedule of such applications. */
export function schedule(namespace: string, name: string, spec: object = {}): any {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', metadata: { name, namespace },
    spec: { schedule: '@every 1h', concurrencyPolicy: 'Forbid', template: application(namespace, name).spec, ...spec },
  };
}
