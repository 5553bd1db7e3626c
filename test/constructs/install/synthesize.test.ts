/* An installation has the objects that the construct synthesizes. */
import { Chart, Testing } from 'cdk8s';
import { bundledCrds } from '../../sparkctl/setup/crds';
import { PrometheusMonitor, SparkOperator, WebhookCertificates, WebUI, type SparkOperatorProps } from '../../../src';
import type { KubeObject } from '../../../src/kube/objects';
import { resourceOf } from '../../../src/sparkctl/setup/kinds';
import { synthesize } from '../../../src/constructs/install/synthesize';

const ALL: SparkOperatorProps = {
  replicas: 2, createJobNamespaces: true, networkPolicy: {}, namespaceSelector: { spark: 'yes' }, jobNamespaces: ['jobs'],
  webhook: { certificates: WebhookCertificates.certManager(), deployment: {} }, console: { replicas: 2, ingress: { host: 'spark.example.org' } }, metrics: { monitor: PrometheusMonitor.serviceMonitor() },
  webUI: WebUI.byIngress({ urlFormat: '{{$appName}}.example.org' }),
};

const byName = (a: KubeObject, b: KubeObject) => (a.metadata.name < b.metadata.name ? -1 : 1);

test.each<[string, SparkOperatorProps]>([['nothing else', {}], ['all there is', ALL], ['its own webhook', { webhook: {}, metrics: { monitor: PrometheusMonitor.podMonitor() } }]])('with %s', async (_, props) => {
  const chart = new Chart(Testing.app(), 'operator');
  new SparkOperator(chart, 'operator', props);
  const { crds, objects, namespace } = synthesize(props, await bundledCrds());

  expect(namespace).toBe('spark-operator');
  // The CRDs also come first in the chart's manifest, in another order.
  // `sparkctl uninstall` keeps them, so they have none of its labels, and no labels of the construct.
  const withoutLabels = ({ metadata: { labels, ...metadata }, ...rest }: KubeObject): KubeObject => ({ ...rest, metadata });
  expect([...crds].sort(byName)).toEqual(Testing.synth(chart).slice(0, crds.length).map(withoutLabels).sort(byName));
  expect(objects).toEqual(Testing.synth(chart).slice(crds.length));
  for (const object of [...crds, ...objects]) expect(resourceOf(object).kind).toBe(object.kind);
});

test('omits the CRDs', async () => {
  expect(synthesize({ installCrds: false }, await bundledCrds()).crds).toEqual([]);
});

test.each<[SparkOperatorProps, RegExp]>([
  [{ jobNamespaces: ['spark-operator'] }, /^jobNamespaces\[0\] = "spark-operator" is the operator's own namespace/],
  [{ jobNamespaces: [] }, /^jobNamespaces is empty/],
])('rejects props that the construct rejects: %j', (props, message) => {
  expect(() => synthesize(props, [])).toThrow(message);
});
