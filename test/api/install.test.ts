/* One kubectl apply installs the operator on a cluster that has never heard of it, and a second one changes how. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart, Duration } from 'cdk8s';
import { SecondApiServer } from './helpers/second-api-server';
import { tryKubectl } from '../helpers/kubectl';
import {
  LogEncoder, NetworkPeer, OperatorNaming, SparkOperator, WebhookFailurePolicy, WebUI, type SparkOperatorProps,
} from '../../src';

const PORT = 16444;
const folder = mkdtempSync(join(tmpdir(), 'install-'));
let fresh: SecondApiServer;

beforeAll(async () => {
  fresh = SecondApiServer.find(PORT, `/fresh-${process.pid}-${Date.now()}`);
  await fresh.start();
});
afterAll(async () => {
  await fresh?.kill();
  rmSync(folder, { recursive: true });
});

/** Synthesizes a program into a file, and applies it as users do. @returns what kubectl says of each object */
async function applied(props: SparkOperatorProps, how: readonly string[] = []): Promise<Record<string, string>> {
  const app = new App({ outdir: folder });
  new SparkOperator(new Chart(app, 'operator'), 'operator', props);
  app.synth();
  const { code, stdout, stderr } = await tryKubectl(['--server', fresh.url, 'apply', ...how, '-f', join(folder, 'operator.k8s.yaml')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return Object.fromEntries(stdout.trim().split('\n').map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]));
}

/** Returns the changed objects, without the PodDisruptionBudget: kubectl replaces its selector each time (its patch strategy in Kubernetes' types). */
function changes(results: Record<string, string>): string[] {
  return Object.keys(results).filter((object) => results[object] !== 'unchanged' && !object.startsWith('poddisruptionbudget'));
}

const BEFORE: SparkOperatorProps = { jobNamespaces: ['team-a'], createJobNamespaces: true };
const AFTER: SparkOperatorProps = {
  jobNamespaces: ['team-a', 'team-b'],
  createJobNamespaces: true,
  replicas: 2,
  sparkSubmitTimeout: Duration.minutes(1),
  webUI: WebUI.byGateway({ urlFormat: '{{$appName}}.example.org', gateways: [{ namespace: 'infra', name: 'public' }] }),
  driverDisruptionBudgets: true,
  removeOrphans: true,
  defaultsConfigMapName: 'spark-defaults',
  timeToLive: Duration.hours(1),
  imagePullSecrets: ['registry'],
  priorityClassName: 'system-cluster-critical',
  nodeSelector: { pool: 'system' },
  tolerations: [{ key: 'pool', operator: 'Exists' }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }] } },
  podLabels: { team: 'platform' },
  env: [{ name: 'AWS_REGION', value: 'eu-central-1' }],
  serviceAccountAnnotations: { 'example.org/identity': 'x' },
  console: { replicas: 2, clusterName: 'production', tlsSecretName: 'console-tls' },
  networkPolicy: { metricsFrom: [NetworkPeer.namespace('monitoring')], apiServer: [NetworkPeer.addresses('10.0.0.0/8')] },
};

test('installed, changed, changed back, and nothing to do at the end', async () => {
  const first = await applied(BEFORE);
  expect(first).toMatchObject({ 'deployment.apps/spark-operator': 'created', 'serviceaccount/spark': 'created' });
  expect(new Set(Object.values(first))).toEqual(new Set(['created']));

  const second = await applied(AFTER);
  expect(second['deployment.apps/spark-operator']).toBe('configured');
  expect(Object.entries(second).filter(([, result]) => result === 'created').map(([object]) => object)).toEqual(expect.arrayContaining(['namespace/team-b', 'networkpolicy.networking.k8s.io/spark-operator']));
  expect(changes(await applied(AFTER))).toEqual([]);

  expect((await applied(BEFORE))['deployment.apps/spark-operator']).toBe('configured');
  expect(changes(await applied(BEFORE))).toEqual([]);
});

test.each<[string, string, number | undefined]>([
  ['its pods', 'spark-operator', undefined], ['its pods', 'spark-operator', 1_000_650_000], ['those of the console', 'spark-operator-console', undefined], ['those of the console', 'spark-operator-console', 1_000_650_000],
])('%s (%s) meet the restricted Pod Security Standard, with a user of the image or one that the platform picks (%s)', async (_, deployment, runAsUser) => {
  await applied({ ...AFTER, installCrds: false });
  const { stdout } = await tryKubectl(['--server', fresh.url, 'get', 'deployment', deployment, '-n', 'spark-operator', '-o', 'jsonpath={.spec.template}']);
  const { metadata, spec } = JSON.parse(stdout);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'operator' }, spec: { ...spec, securityContext: { ...spec.securityContext, runAsUser } } };
  const tried = (changed: object) => tryKubectl(['--server', fresh.url, 'create', '-n', 'spark-operator', '--dry-run=server', '-f', '-'], JSON.stringify({ ...pod, ...changed }));
  expect(await tried({})).toMatchObject({ code: 0, stderr: '' });
  // It is enforced.
  expect((await tried({ spec: { ...pod.spec, securityContext: {} } })).stderr).toContain('violates PodSecurity "restricted');
});

describe("kubeflow's names, and existing accounts", () => {
  const NAMESPACE = 'named';
  const RESTRICTED = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, runAsNonRoot: true };
  const NAMED: SparkOperatorProps = {
    namespace: NAMESPACE, naming: OperatorNaming.KUBEFLOW, jobNamespaces: ['team-k'], createJobNamespaces: true, replicas: 2, installCrds: false,
    labels: { team: 'platform' }, logEncoder: LogEncoder.CONSOLE, webhook: { deployment: { replicas: 2, nodeSelector: { pool: 'edge' } } }, console: {},
    networkPolicy: {}, roleAnnotations: { 'example.org/note': 'x' }, metrics: { port: 9090 },
    envFrom: [{ configMapRef: { name: 'proxy', optional: true } }], revisionHistoryLimit: 3, deploymentAnnotations: { 'example.org/note': 'x' },
    volumes: [{ name: 'ca', configMap: { name: 'ca', optional: true } }, { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } }],
    volumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }, { name: 'tmp', mountPath: '/tmp' }],
    sidecars: [{ name: 'shipper', image: 'example.org/shipper:1', securityContext: RESTRICTED }],
    podSecurityContext: { fsGroup: 185 }, disruptionBudget: { minAvailable: 1 },
  };
  const kubectl = async (...args: string[]) => {
    const { code, stdout, stderr } = await tryKubectl(['--server', fresh.url, ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  /** Pods are selected by the labels of kubeflow's chart, and are made from the template. */
  const podOf = async (selector: string) => {
    const { items: [{ spec: { template: { metadata, spec } } }, ...others] } = JSON.parse(await kubectl('get', 'deployments', '-n', NAMESPACE, '-l', selector, '-o', 'json'));
    expect(others).toEqual([]);
    return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'pod' }, spec });
  };
  const tried = (pod: string) => tryKubectl(['--server', fresh.url, 'create', '-n', NAMESPACE, '--dry-run=server', '-f', '-'], pod);

  test('tools find the objects by the names and labels of kubeflow, and applying them again changes nothing', async () => {
    const objects = await applied(NAMED);
    expect(objects).toMatchObject({
      'deployment.apps/spark-operator-controller': 'created', 'serviceaccount/spark-operator-spark': 'created',
      'mutatingwebhookconfiguration.admissionregistration.k8s.io/spark-operator-webhook': 'created',
    });
    expect(changes(await applied(NAMED))).toEqual([]);
    for (const component of ['controller', 'webhook', 'console']) {
      expect(await tried(await podOf(`app.kubernetes.io/name=spark-operator,app.kubernetes.io/component=${component}`))).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test('a second operator of the namespace uses accounts and roles that exist', async () => {
    const existing = (serviceAccountName: string) => ({ serviceAccountName, createServiceAccount: false, createRoles: false });
    const props: SparkOperatorProps = {
      ...NAMED, name: 'blue', createNamespace: false, jobNamespaces: ['team-l'], roleAnnotations: undefined, ...existing('platform'),
      webhook: { deployment: existing('hook') }, console: existing('window'), driverServiceAccount: { name: 'jobs', create: false, createRoles: false },
    };
    const objects = Object.keys(await applied(props));
    expect(objects.filter((object) => /^(serviceaccount|(cluster)?role)/.test(object))).toEqual([]);
    expect(changes(await applied(props))).toEqual([]);
    const pod = await podOf('app.kubernetes.io/instance=blue,app.kubernetes.io/component=controller');
    expect((await tried(pod)).stderr).toContain('platform');
    await kubectl('create', 'serviceaccount', 'platform', '-n', NAMESPACE);
    expect(await tried(pod)).toMatchObject({ code: 0, stderr: '' });
    // The first one is as it was.
    expect(changes(await applied(NAMED))).toEqual([]);
  });
});

test('namespaces by label, in the place of names', async () => {
  const props = { namespaceSelector: { spark: 'yes' }, defaultsConfigMapName: 'spark-defaults', installCrds: false };
  const objects = await applied(props);
  expect(objects['clusterrole.rbac.authorization.k8s.io/spark-operator:spark-operator']).toBe('created');
  expect(changes(await applied(props))).toEqual([]);
});

describe.each<[string, SparkOperatorProps, readonly string[]]>([
  ["in the operator's pods", { webhook: {} }, []],
  ['in pods of its own', { webhook: { deployment: {}, resourceQuotas: true }, networkPolicy: {}, defaultsConfigMapName: 'spark-defaults' }, []],
  ['for namespaces by label', { webhook: {}, namespaceSelector: { spark: 'yes' }, jobNamespaces: ['default'] }, []],
  ['applied on the side of the server', { webhook: {} }, ['--server-side', '--force-conflicts']],
])('a webhook %s', (_, props, how) => {
  const tried = async (...args: string[]) => {
    const { code, stdout, stderr } = await tryKubectl(['--server', fresh.url, ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const patched = (kind: string, name: string, patch: object) => tried('patch', kind, name, '-n', 'spark-operator', '--type=json', '-p', JSON.stringify(patch));

  test('is installed, and what the operator puts in stays when it is applied again', async () => {
    await applied({ installCrds: false, ...props }, how);
    // As the operator does it.
    await patched('secret', 'spark-operator-webhook-certs', [{ op: 'add', path: '/data', value: { 'tls.crt': 'eA==' } }]);
    const configurations = ['mutatingwebhookconfiguration', 'validatingwebhookconfiguration'];
    for (const kind of configurations) await patched(kind, 'spark-operator-spark-operator', [{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: 'eA==' }]);

    // With --server-side kubectl does not report changes.
    const changed = changes(await applied({ installCrds: false, ...props }, how));
    if (how.length === 0) expect(changed).toEqual([]);
    expect(JSON.parse(await tried('get', 'secret', 'spark-operator-webhook-certs', '-n', 'spark-operator', '-o', 'json')).data).toEqual({ 'tls.crt': 'eA==' });
    for (const kind of configurations) {
      const { webhooks: [first] } = JSON.parse(await tried('get', kind, 'spark-operator-spark-operator', '-o', 'json'));
      expect(first.clientConfig.caBundle).toBe('eA==');
    }
  });

  test('comes with match conditions that the API server takes as they are meant', async () => {
    // No server answers for it: the API server rejects a request that it asks about, or accepts it with Ignore.
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { 'sparkoperator.k8s.io/launched-by-spark-operator': 'true' } }, spec: { containers: [{ name: 'c', image: 'x' }] } };
    const created = (object: any) => tryKubectl(['--server', fresh.url, 'create', '-n', 'default', '--dry-run=server', '-f', '-'], JSON.stringify(object));
    const account = JSON.stringify({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } });
    await tryKubectl(['--server', fresh.url, 'create', '-f', '-'], account); // no controller creates it here
    let refused = await created(pod);
    while (refused.code === 0) refused = await created(pod); // until the configuration applies
    expect(refused.stderr).toContain('failed calling webhook "mutate-pod.sparkoperator.k8s.io"');
    const own = { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, 'sparkoperator.k8s.io/attempt': '1' } } };
    const annotated = (annotations: object) => ({ ...own, metadata: { ...own.metadata, annotations } });
    expect((await created(own)).stderr).toBe('');
    expect((await created(annotated({ other: 'x' }))).stderr).toBe('');
    expect((await created(annotated({ 'sparkoperator.k8s.io/left-to-webhook': 'none' }))).stderr).toContain('failed calling webhook');
    expect((await created({ ...pod, metadata: { name: 'p' } })).stderr).toBe('');
  });
});

test('the webhook is asked about what is new in an application, and about nothing else', async () => {
  const kubectl = (args: readonly string[], input?: string) => tryKubectl(['--server', fresh.url, '-n', 'default', ...args], input);
  const spec = { type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', mainApplicationFile: 'local:///a.py', driver: {}, executor: {} };
  const manifest = (name: string) => JSON.stringify({ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name }, spec });
  const patched = (patch: object, ...more: string[]) => kubectl(['patch', 'sparkapp', 'stored', '--type=merge', '-p', JSON.stringify(patch), ...more]);
  await applied({ installCrds: false, webhook: {} });
  // No server answers for it, and that is no reason to reject an application.
  expect(await kubectl(['create', '-f', '-'], manifest('stored'))).toMatchObject({ code: 0 });

  // Now the API server rejects every request that it asks about.
  await applied({ installCrds: false, webhook: { failurePolicy: WebhookFailurePolicy.FAIL, timeout: Duration.seconds(1) } });
  let answer = await kubectl(['create', '--dry-run=server', '-f', '-'], manifest('new'));
  while (answer.code === 0) answer = await kubectl(['create', '--dry-run=server', '-f', '-'], manifest('new'));
  expect(answer.stderr).toContain('failed calling webhook "mutate-sparkapplication.sparkoperator.k8s.io"');
  for (const news of [{ spec: { driver: { cores: 2 } } }, { metadata: { labels: { a: 'b' } } }, { metadata: { annotations: { a: 'b' } } }]) {
    expect((await patched(news)).stderr).toContain('failed calling webhook');
  }
  expect(await patched({ metadata: { finalizers: ['example.org/a'] } })).toMatchObject({ code: 0 });
  expect(await patched({ status: { applicationState: { state: 'RUNNING' }, driverInfo: {} } }, '--subresource=status')).toMatchObject({ code: 0 });
  expect(await kubectl(['delete', 'sparkapp', 'stored', '--wait=false'])).toMatchObject({ code: 0 });
  expect(await patched({ metadata: { finalizers: [], labels: { a: 'b' } } })).toMatchObject({ code: 0 });
});

test('kubectl apply --prune, as documented, removes the webhook and the console, and keeps namespaces and CRDs', async () => {
  const namespace = 'pruned';
  const without: SparkOperatorProps = { namespace, jobNamespaces: ['team-c'], createJobNamespaces: true };
  await applied({ ...without, replicas: 2, webhook: { deployment: {} }, console: { ingress: { host: 'spark.example.org' } }, networkPolicy: {} });
  const documented = readFileSync(join(__dirname, '../../docs/reference/constructs/names-and-labels.md'), 'utf8');
  const [, selector] = / -l (\S+),app\.kubernetes\.io\/instance=spark-operator /.exec(documented)!;
  const [, allowlist] = /\$\((printf [^]*?)\)\n/.exec(documented)!;
  const flags = execFileSync('bash', ['-c', allowlist!], { encoding: 'utf8' }).trim().split(/\s+/);

  const results = await applied({ ...without, jobNamespaces: ['team-d'] }, ['--prune', '-l', `${selector},app.kubernetes.io/instance=${namespace}`, ...flags]);

  const pruned = Object.keys(results).filter((object) => results[object] === 'pruned');
  expect(pruned).toEqual(expect.arrayContaining([
    `mutatingwebhookconfiguration.admissionregistration.k8s.io/spark-operator-${namespace}`, `validatingwebhookconfiguration.admissionregistration.k8s.io/spark-operator-${namespace}`,
    'deployment.apps/spark-operator-console', 'deployment.apps/spark-operator-webhook', 'service/spark-operator-console', 'secret/spark-operator-webhook-certs',
    'ingress.networking.k8s.io/spark-operator-console', 'networkpolicy.networking.k8s.io/spark-operator', 'poddisruptionbudget.policy/spark-operator',
    `clusterrolebinding.rbac.authorization.k8s.io/spark-operator-console:${namespace}`,
  ]));
  expect(pruned.filter((object) => /^(namespace|customresourcedefinition)/.test(object))).toEqual([]);
  expect(results).toMatchObject({ 'deployment.apps/spark-operator': 'configured', 'namespace/team-d': 'created' });
});
