import { Chart, Size, Testing } from 'cdk8s';
import { EventLogStorage, NetworkPeer, PrometheusMonitor, SparkHistoryServer, SparkJobNamespace, SparkOperator, WebhookCertificates } from '../../src';

const LABELS = ['name', 'instance', 'part-of'].map((label) => `app.kubernetes.io/${label}`);

/** Returns the values of the labels on all objects of a chart, and checks that no object is without. */
function labelsOf(create: (chart: Chart) => void, options?: { readonly labels: { [key: string]: string } }): Set<string>[] {
  const chart = new Chart(Testing.app(), 'test', options);
  create(chart);
  const objects = Testing.synth(chart);
  const without = objects.filter(({ metadata }) => LABELS.some((label) => !metadata.labels?.[label]));
  expect(without.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
  return LABELS.map((label) => new Set(objects.map(({ metadata }) => metadata.labels[label])));
}

const everything = (chart: Chart) => new SparkOperator(chart, 'operator', {
  namespace: 'ops', jobNamespaces: ['a'], createJobNamespaces: true, replicas: 2, networkPolicy: {}, defaultsConfigMapName: 'defaults',
  console: { replicas: 2 }, metrics: { monitor: PrometheusMonitor.serviceMonitor() },
  webhook: { certificates: WebhookCertificates.certManager(), deployment: {} },
});

test.each<[string, (chart: Chart) => unknown, string, string[]]>([
  ['the operator, with CRDs', everything, 'ops', ['spark-operator', 'spark-operator-console', 'spark-operator-webhook']],
  ['a webhook in the pods of the operator, all namespaces', (chart) => new SparkOperator(chart, 'operator', {
    namespace: 'ops', allNamespaces: true, webhook: {}, installCrds: false,
  }), 'ops', ['spark-operator']],
  ['a job namespace', (chart) => new SparkJobNamespace(chart, 'ads', {
    name: 'ads', quota: { cpu: 100 }, defaultsConfigMapName: 'defaults', operatorNamespace: 'ops', limits: { allowedImages: ['apache/*'] },
    network: { webUiFrom: [NetworkPeer.allPods()] },
  }), 'ads', ['spark-job-namespace']],
  ['a history server', (chart) => new SparkHistoryServer(chart, 'history', {
    sparkVersion: '4.1.1', name: 'history', eventLogs: EventLogStorage.newClaim({ size: Size.gibibytes(10) }), ingress: { host: 'a.example.org' },
  }), 'history', ['spark-history-server']],
])('labels on each object: %s', (_case, create, instance, names) => {
  const [ofName, ofInstance, ofWhole] = labelsOf(create);
  expect([...ofName!].sort()).toEqual(names);
  expect([...ofInstance!]).toEqual([instance]);
  expect([...ofWhole!]).toEqual(['spark-operator']);
});

test('labels of the user stay', () => {
  expect([...labelsOf(everything, { labels: { 'app.kubernetes.io/part-of': 'platform' } })[2]!]).toEqual(['platform']);
});

test('selectors are immutable, and have only the name', () => {
  const chart = Testing.chart();
  everything(chart);
  const selectors = Testing.synth(chart).filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.selector.matchLabels);
  expect(selectors).toEqual(['spark-operator', 'spark-operator-webhook', 'spark-operator-console'].map((name) => ({ 'app.kubernetes.io/name': name })));
});
