/* One kubectl apply installs the operator on a cluster that has never heard of it, and a second one changes how. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart, Duration } from 'cdk8s';
import { SecondApiServer } from './helpers/second-api-server';
import { tryKubectl } from '../helpers/kubectl';
import { NetworkPeer, NetworkPort, SparkOperator, WebUI, type SparkOperatorProps } from '../../src';

const PORT = 16444;
const folder = mkdtempSync(join(tmpdir(), 'install-'));
let fresh: SecondApiServer;

beforeAll(async () => {
  fresh = SecondApiServer.find(PORT, `/fresh-${process.pid}-${Date.now()}`);
  await fresh.start();
}, 90_000);
afterAll(async () => {
  await fresh?.kill();
  rmSync(folder, { recursive: true });
});

/** Synthesizes a program into a file, and applies it as users do. @returns what kubectl says of each object */
async function applied(props: SparkOperatorProps): Promise<Record<string, string>> {
  const app = new App({ outdir: folder });
  new SparkOperator(new Chart(app, 'operator'), 'operator', props);
  app.synth();
  const { code, stdout, stderr } = await tryKubectl(['--server', fresh.url, 'apply', '-f', join(folder, 'operator.k8s.yaml')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return Object.fromEntries(stdout.trim().split('\n').map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]));
}

/** What has not been left as it is; without the PodDisruptionBudget, whose selector kubectl replaces each time (its patch strategy in Kubernetes' types). */
function changes(results: Record<string, string>): string[] {
  return Object.keys(results).filter((object) => results[object] !== 'unchanged' && !object.startsWith('poddisruptionbudget'));
}

const BEFORE: SparkOperatorProps = { jobNamespaces: ['team-a'], createJobNamespaces: true };
const AFTER: SparkOperatorProps = {
  jobNamespaces: ['team-a', 'team-b'],
  createJobNamespaces: true,
  replicas: 2,
  sparkSubmit: true,
  sparkSubmitOptions: { timeout: Duration.minutes(1) },
  caCertificates: { configMapName: 'ca' },
  proxy: { httpsProxy: 'http://proxy.example.org:3128' },
  webUI: WebUI.byGateway({ urlFormat: '{{$appName}}.example.org', gateways: [{ namespace: 'infra', name: 'public' }] }),
  driverDisruptionBudgets: true,
  removeLeftovers: true,
  defaultsConfigMap: 'spark-defaults',
  timeToLive: Duration.hours(1),
  imagePullSecrets: ['registry'],
  priorityClassName: 'system-cluster-critical',
  nodeSelector: { pool: 'system' },
  tolerations: [{ key: 'pool', operator: 'Exists' }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }] } },
  podLabels: { team: 'platform' },
  env: [{ name: 'AWS_REGION', value: 'eu-central-1' }],
  serviceAccountAnnotations: { 'example.org/identity': 'x' },
  networkPolicy: { metricsFrom: [NetworkPeer.namespace('monitoring')], egressTo: [{ peers: [NetworkPeer.addresses('10.0.0.0/8')], ports: [NetworkPort.tcp(3128)] }] },
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
}, 60_000);

test.each<[string, number | undefined]>([['as the image says', undefined], ['that the platform picks', 1_000_650_000]])('its pods meet the restricted Pod Security Standard with a user %s', async (_, runAsUser) => {
  await applied(AFTER);
  const { stdout } = await tryKubectl(['--server', fresh.url, 'get', 'deployment', 'spark-operator', '-n', 'spark-operator', '-o', 'jsonpath={.spec.template}']);
  const { metadata, spec } = JSON.parse(stdout);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'operator' }, spec: { ...spec, securityContext: { ...spec.securityContext, runAsUser } } };
  const tried = (changed: object) => tryKubectl(['--server', fresh.url, 'create', '-n', 'spark-operator', '--dry-run=server', '-f', '-'], JSON.stringify({ ...pod, ...changed }));
  expect(await tried({})).toMatchObject({ code: 0, stderr: '' });
  // It is enforced.
  expect((await tried({ spec: { ...pod.spec, securityContext: {} } })).stderr).toContain('violates PodSecurity "restricted');
}, 60_000);

test('namespaces by label, in the place of names', async () => {
  const props = { namespaceSelector: { spark: 'yes' }, defaultsConfigMap: 'spark-defaults' };
  const objects = await applied(props);
  expect(objects['clusterrole.rbac.authorization.k8s.io/spark-operator:spark-operator']).toBe('created');
  expect(changes(await applied(props))).toEqual([]);
}, 60_000);
