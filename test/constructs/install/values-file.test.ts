/* Props of SparkOperator from a values file and options. */
import { Duration, Size } from 'cdk8s';
import { synthesized } from '../operator-objects';
import { NetworkPeer, PrometheusMonitor, WebhookCertificates, WebUI, type SparkOperatorProps } from '../../../src';
import { objectsOf, objectsWith } from './run-program';
import { programOf } from '../../../src/constructs/install/program';
import { propsOf } from '../../../src/constructs/install/values-file';

const propsIn = (content: string) => propsOf({}, { name: 'operator.yaml', content });

/** Props in a program, and the same in a file. */
const SAME: readonly (readonly [what: string, props: SparkOperatorProps, file: string])[] = [
  ['plain values', { jobNamespaces: ['a', 'b'], replicas: 2, podLabels: { team: 'platform' }, flags: ['--feature-gates=x=true'] }, `
jobNamespaces: [a, b]
replicas: 2
podLabels: {team: platform}
flags: [--feature-gates=x=true]`],
  ['durations and sizes', { timeToLive: Duration.hours(1), leaderElection: { leaseDuration: Duration.seconds(30) }, resources: { memoryLimit: Size.gibibytes(1), cpuRequest: 0.2 } }, `
timeToLive: 1h
leaderElection: {leaseDuration: 30s}
resources: {memoryLimit: 1Gi, cpuRequest: 0.2}`],
  ['classes, by the names of their functions', {
    webUI: WebUI.byGateway({ urlFormat: '{{$appName}}.example.org', gateways: [{ namespace: 'infra', name: 'public' }] }),
    metrics: { monitor: PrometheusMonitor.podMonitor({ labels: { release: 'prometheus' } }) },
    webhook: { certificates: WebhookCertificates.certManager({ lifetime: Duration.days(1) }), resourceQuotas: true },
    console: { tlsSecretName: 'console-tls', ingress: { host: 'spark.example.org' }, resources: { memoryLimit: Size.mebibytes(256) } },
    networkPolicy: {
      metricsFrom: [NetworkPeer.namespace('monitoring'), NetworkPeer.allPods()],
      consoleFrom: [NetworkPeer.namespace('ingress')],
      apiServer: [NetworkPeer.addresses('10.0.0.0/8', ['10.1.0.0/16'])],
    },
  }, `
webUI: {byGateway: {urlFormat: '{{$appName}}.example.org', gateways: [{namespace: infra, name: public}]}}
metrics: {monitor: {podMonitor: {labels: {release: prometheus}}}}
webhook: {certificates: {certManager: {lifetime: 24h}}, resourceQuotas: true}
console: {tlsSecretName: console-tls, ingress: {host: spark.example.org}, resources: {memoryLimit: 256Mi}}
networkPolicy:
  metricsFrom: [{namespace: monitoring}, allPods]
  consoleFrom: [{namespace: ingress}]
  apiServer: [{addresses: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}]`],
  ['what says nothing', { webUI: WebUI.none() }, 'webUI: none\nreplicas:\n'],
];

test.each(SAME)('%s: a file says the same as a program', (_, props, file) => {
  expect(synthesized(propsIn(file))).toEqual(synthesized(props));
});

test.each(SAME)('%s: the program of a file has the same props', (_, props, content) => {
  const program = programOf({ name: 'operator.yaml', content }, ['A comment.']);
  expect(program).toMatch(/^\/\/ A comment\.\nimport \{ App, Chart/);
  expect(objectsOf(program)).toEqual(objectsWith(props));
});

test('a program names enums, and functions with several arguments', () => {
  const [program, ...others] = [
    'logLevel: debug\nsubmissionMode: spark-submit\nimagePullPolicy: Always\nsparkSubmitTimeout: 90s\nresources: {memoryLimit: 2Gi}',
    'webhook: {failurePolicy: Fail, certificates: {certManager: {issuerName: a, issuerKind: ClusterIssuer}}}', 'networkPolicy: {dns: [{addresses: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}]}',
  ].map((content) => programOf({ name: 'x', content }, []));
  for (const text of ['LogLevel.DEBUG', 'SubmissionMode.SPARK_SUBMIT', 'ImagePullPolicy.ALWAYS', 'Duration.seconds(90)', 'Size.gibibytes(2)']) expect(program).toContain(text);
  expect(program).toContain("import { App, Chart, Duration, Size } from 'cdk8s';\nimport { ImagePullPolicy, LogLevel, SparkOperator, SubmissionMode } from 'cdk8s-spark-operator';");
  expect(others[0]).toMatch(/failurePolicy: WebhookFailurePolicy\.FAIL,[^]*issuerKind: CertificateIssuerKind\.CLUSTER_ISSUER/);
  expect(others[1]).toMatch(/NetworkPeer\.addresses\('10\.0\.0\.0\/8', \[\s+'10\.1\.0\.0\/16',\s+\]\)/);
});

test.each([
  ['replica: 2', 'operator.yaml: replica is not a property; did you mean replicas?'],
  ['webhook: {certificate: x}', 'operator.yaml: webhook.certificate is not a property; did you mean certificates?'],
  ['replicas: two', 'operator.yaml: replicas = "two" must be a number'],
  ['allNamespaces: 1', 'operator.yaml: allNamespaces = 1 must be true or false'],
  ['jobNamespaces: a', 'operator.yaml: jobNamespaces = "a" must be a list'],
  ['timeToLive: 5', 'operator.yaml: timeToLive = 5 must be a duration such as 90s, 5m or 1h30m'],
  ['resources: {memoryLimit: 1.5M}', 'operator.yaml: resources.memoryLimit = "1.5M" must be whole mebibytes or gibibytes, such as 512Mi or 2Gi'],
  ['logLevel: loud', 'operator.yaml: logLevel = "loud" must be one of debug, info, warn, error'],
  ['webUI: byMagic', 'operator.yaml: webUI = "byMagic" must be one of byService, none, byIngress, byGateway, such as {byService: {…}}'],
  ['webUI: {byIngress: {}}', 'operator.yaml: webUI.byIngress.urlFormat is required'],
  ['webUI: {byIngress: {urlFormat: example.org}}', 'operator.yaml: webUI: WebUI.byIngress: urlFormat is "example.org"; all applications would have the same URL: add {{$appName}} to it'],
  ['[a]', 'operator.yaml: the document must be an object'],
  ['replicas: 2\na: {', 'operator.yaml:2:5: invalid YAML: '],
])('rejects %s', (content, message) => {
  expect(() => propsIn(content)).toThrow(message);
});

test('options take precedence over the file, and extend it', () => {
  const file = { name: 'x', content: 'replicas: 1\nimage: a\nwebhook: {port: 9999}\n' };
  expect(propsOf({ replicas: 3, webhook: true, jobNamespaces: ['jobs'] }, file)).toEqual({ replicas: 3, image: 'a', webhook: { port: 9999 }, jobNamespaces: ['jobs'] });
  expect(propsOf({ webhook: true, console: true })).toEqual({ webhook: {}, console: {} });
  expect(propsOf({ console: true }, { name: 'x', content: 'console: {clusterName: a}' })).toEqual({ console: { clusterName: 'a' } });
});
