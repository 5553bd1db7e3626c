/*
 * The Helm chart with the real Helm: it renders what the construct makes of the same values, and is
 * installed, upgraded and uninstalled on an API server that has never heard of the operator.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { SecondApiServer } from './helpers/second-api-server';
import { until } from './helpers/until';
import { KUBECTL_YAML } from '../../src/text/kubectl-yaml';
import { KUBERNETES_VERSION } from '../../tools/local-cluster/versions';
import { writeRelease } from '../../tools/release/chart/write';
import { byName, CHART_DEFAULTS, CHART_SOURCE } from '../helpers/chart-source';
import { propsOfValues, type ChartInput } from '../helpers/chart-values';
import { tryKubectl, type Result } from '../helpers/kubectl';

const PORT = 16451;
const NAMESPACE = 'operators';
const folder = mkdtempSync(join(tmpdir(), 'chart-'));
const chart = join(folder, 'spark-operator-1.2.3.tgz');
let fresh: SecondApiServer;

beforeAll(async () => {
  writeRelease(CHART_SOURCE, folder);
  fresh = SecondApiServer.find(PORT, `/chart-${process.pid}-${Date.now()}`);
  await fresh.start();
  for (const name of ['team-a', 'team-b']) await kubectl('create', 'namespace', name);
}, 300_000);
afterAll(async () => {
  await fresh?.kill();
  rmSync(folder, { recursive: true });
});

/** Runs Helm, with the cluster of the tests unless the command needs none. */
function tryHelm(...args: readonly string[]): Promise<Result> {
  const environment = { ...process.env, HELM_CACHE_HOME: join(folder, 'cache'), HELM_CONFIG_HOME: join(folder, 'config'), HELM_DATA_HOME: join(folder, 'data') };
  return new Promise((resolve, reject) => {
    execFile(process.env.HELM!, args, { env: environment, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: (error?.code as number | undefined) ?? 0, stdout, stderr });
    });
  });
}

async function helm(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tryHelm(...args);
  if (code !== 0) throw new Error(`helm ${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
  return stdout;
}

async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tryKubectl(['--server', fresh.url, ...args]);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
  return stdout;
}

const read = async (...args: readonly string[]) => JSON.parse(await kubectl('get', ...args, '-o', 'json'));

/** Merges values as Helm does. */
function merged<T extends object>(base: T, changes: object): T {
  return Object.fromEntries(Object.entries({ ...base, ...changes }).map(([name, value]) => {
    const before = (base as Record<string, unknown>)[name];
    const isMap = (each: unknown): each is object => typeof each === 'object' && each !== null && !Array.isArray(each);
    return [name, isMap(value) && isMap(before) ? merged(before, value) : value];
  })) as T;
}

function valuesFile(values: object): string {
  const file = join(folder, `values-${Math.random()}.yaml`);
  writeFileSync(file, stringify(values, { version: '1.1' }));
  return file;
}

const EVERYTHING = {
  image: `registry.example.org/operator@sha256:${'0'.repeat(64)}`, imagePullPolicy: 'Always', imagePullSecrets: [{ name: 'registry' }], replicas: 3,
  resources: { requests: { cpu: '250m', memory: '1Gi' }, limits: { memory: '2Gi' } }, jobNamespaces: ['team-a', 'team-b', '123'],
  serviceAccount: { name: 'own', annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/a', 'b': 'yes' } }, logLevel: 'debug', workers: 4,
  batchScheduling: { enabled: true }, webhook: { enabled: true, ownPods: true, failurePolicy: 'Fail' }, console: { enabled: true },
  metrics: { monitor: { kind: 'PodMonitor', labels: { release: 'prometheus' }, interval: '30s' } }, podLabels: { team: 'data' }, podAnnotations: { a: '1' },
  nodeSelector: { 'kubernetes.io/os': 'linux' }, tolerations: [{ key: 'spark', operator: 'Exists' }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } }, priorityClassName: 'high', env: [{ name: 'TZ', value: 'UTC' }],
};

test.each<[string, object]>([
  ['nothing', {}],
  ['everything', EVERYTHING],
  ['all namespaces', { allNamespaces: true, webhook: { enabled: true }, console: { enabled: true }, replicas: 2 }],
  ['all namespaces, and accounts in one', { allNamespaces: true, jobNamespaces: ['team-a'], webhook: { enabled: true, ownPods: true } }],
  ['namespaces by labels', { namespaceSelector: { spark: 'yes', team: 'a' }, metrics: { enabled: false }, batchScheduling: { enabled: true } }],
  ['a ServiceMonitor and a webhook', { metrics: { monitor: { kind: 'ServiceMonitor' } }, webhook: { enabled: true }, logLevel: 'warn' }],
])('renders what the construct makes of %s', async (_, changes) => {
  const rendered = await helm('template', 'release', chart, '--kube-version', KUBERNETES_VERSION, '--namespace', NAMESPACE, '--values', valuesFile(changes));
  const objects = parseAllDocuments(rendered, KUBECTL_YAML).map((document) => document.toJS() as unknown).filter((object) => object !== null);
  const crds = Object.values(CHART_SOURCE.crds).map((text) => {
    const crd = parse(text);
    return { ...crd, metadata: { ...crd.metadata, annotations: { ...crd.metadata.annotations, 'helm.sh/resource-policy': 'keep' } } };
  });
  const values = merged<ChartInput>(CHART_DEFAULTS, changes);
  expect(byName(objects)).toEqual(byName([...crds, ...CHART_SOURCE.synthesize(propsOfValues(values, NAMESPACE))]));
});

test('is well-formed, and takes durations as Prometheus writes them', async () => {
  await helm('lint', '--strict', chart);
  const values = { metrics: { monitor: { kind: 'PodMonitor', interval: '1m30s' } } };
  const rendered = await helm('template', 'release', chart, '--kube-version', KUBERNETES_VERSION, '--namespace', NAMESPACE, '--values', valuesFile(values));
  expect(rendered).toContain('interval: "1m30s"');
});

test.each<[string, object, string?]>([
  ['at \'/replicas\'', { replicas: 0 }],
  ['enable', { webhook: { enable: true } }],
  ['at \'/jobNamespaces/0\'', { jobNamespaces: ['Team_A'] }],
  ['at \'/logLevel\'', { logLevel: 'trace' }],
  ['at \'/namespaceSelector/team\'', { namespaceSelector: { team: 'a,b"' } }],
  ['at \'/namespaceSelector\': additional properties \'team in (a)\'', { namespaceSelector: { 'team in (a)': 'b' } }],
  ['at \'/podLabels/app.kubernetes.io~1name\'', { podLabels: { 'app.kubernetes.io/name': 'mine' } }],
  ['at \'/env/0/name\'', { env: [{ name: 'POD_NAME', value: 'x' }] }],
  ['limit', { resources: { limit: { memory: '1Gi' } } }],
  ['at \'/serviceAccount/name\'', { serviceAccount: { name: 'spark-operator-console' } }],
  ['at \'/metrics/monitor/interval\'', { metrics: { monitor: { interval: '1 minute' } } }],
  ['namespaceSelector has no effect with allNamespaces', { allNamespaces: true, namespaceSelector: { spark: 'yes' } }],
  ['could create pods that run as the operator', { jobNamespaces: ['team-a', NAMESPACE] }],
  ['default is both the namespace of the operator and one of jobNamespaces', {}, 'default'],
])('rejects wrong values: %s', async (reason, values, namespace = NAMESPACE) => {
  const { code, stderr } = await tryHelm('template', 'release', chart, '--kube-version', KUBERNETES_VERSION, '--namespace', namespace, '--values', valuesFile(values));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(reason) });
});

const CONFIGURATION = ['validatingwebhookconfiguration', `spark-operator-${NAMESPACE}`] as const;
const APPLICATION = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name: 'pi', namespace: 'team-a' } };
const CRD = 'sparkapplications.sparkoperator.k8s.io';

test('installed, upgraded, uninstalled and installed again; CRDs and applications stay', async () => {
  const cluster = ['--kube-apiserver', fresh.url, '--namespace', NAMESPACE];
  await helm('install', 'spark', chart, ...cluster, '--create-namespace', '--values', valuesFile({ jobNamespaces: ['team-a'], webhook: { enabled: true } }));
  const file = join(folder, 'application.json');
  writeFileSync(file, JSON.stringify({
    ...APPLICATION, spec: { type: 'Python', sparkVersion: '4.1.1', image: 'spark:4', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {} },
  }));
  // The API server serves a new CRD some moments later.
  await until(async () => (await tryKubectl(['--server', fresh.url, 'apply', '-f', file])).code === 0);
  expect((await read('deployment', 'spark-operator', '-n', NAMESPACE)).metadata.labels['app.kubernetes.io/managed-by']).toBe('Helm');
  // As the operator does it.
  await kubectl('patch', 'secret', 'spark-operator-webhook-certs', '-n', NAMESPACE, '--type=json', '-p', '[{"op":"add","path":"/data","value":{"tls.crt":"eA=="}}]');
  await kubectl('patch', ...CONFIGURATION, '--type=json', '-p', '[{"op":"add","path":"/webhooks/0/clientConfig/caBundle","value":"eA=="}]');
  // As an older version had it.
  await kubectl('patch', 'crd', CRD, '--type=json', '-p', '[{"op":"remove","path":"/spec/names/shortNames"}]');

  await helm('upgrade', 'spark', chart, ...cluster, '--values', valuesFile({ jobNamespaces: ['team-a', 'team-b'], webhook: { enabled: true }, replicas: 2, image: 'registry/operator:2' }));
  const { spec } = await read('deployment', 'spark-operator', '-n', NAMESPACE);
  expect([spec.replicas, spec.template.spec.containers[0].image]).toEqual([2, 'registry/operator:2']);
  await read('rolebinding', 'spark-driver', '-n', 'team-b');
  expect((await read('secret', 'spark-operator-webhook-certs', '-n', NAMESPACE)).data).toEqual({ 'tls.crt': 'eA==' });
  expect((await read(...CONFIGURATION)).webhooks[0].clientConfig.caBundle).toBe('eA==');
  expect((await read('crd', CRD)).spec.names.shortNames).toEqual(['sparkapp']);

  await helm('uninstall', 'spark', ...cluster);
  expect((await tryKubectl(['--server', fresh.url, 'get', 'deployment', 'spark-operator', '-n', NAMESPACE])).stderr).toContain('NotFound');
  expect((await read('sparkapplication', 'pi', '-n', 'team-a')).spec.sparkVersion).toBe('4.1.1');

  await helm('install', 'spark', chart, ...cluster);
  expect((await read('deployment', 'spark-operator', '-n', NAMESPACE)).spec.replicas).toBe(1);
});

// Its namespace is new; the CRDs are those of the chart, whose manager is Helm.
test('install.yaml is applied by kubectl', async () => {
  const file = join(folder, 'install.yaml');
  const applied = await tryKubectl(['--server', fresh.url, 'apply', '--server-side', '--force-conflicts', '-f', file]);
  expect({ code: applied.code, stderr: applied.stderr }).toEqual({ code: 0, stderr: '' });
  expect(applied.stdout.trim().split('\n')).toHaveLength(parseAllDocuments(readFileSync(file, 'utf8')).length);
  await read('deployment', 'spark-operator', '-n', 'spark-operator');
});
