/*
 * A tenant as SparkJobNamespace makes it - restricted pods, a quota, NetworkPolicies, defaults - and a history server that reads from a volume what its
 * applications leave there. The network of the local cluster enforces no policy, so that the connections that are there are held against them.
 */
import { ApiObject, Chart, Size, Testing } from 'cdk8s';
import {
  EventLogStorage, ImagePullPolicy, PodSecurityLevel, SparkApplication, SparkApplicationType, SparkHistoryServer, SparkJobNamespace,
} from '../../src';
import { connectionsOf } from '../helpers/connections';
import { FAST_START, QUICK_JVM } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, SPARK_TIME, tryKubectl, waitFor, waitForState, waitForStatus } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { isAllowed, type End } from '../helpers/network-policy';

const SPARK_IMAGE = process.env.SPARK_IMAGE!;
const JOBS = 'e2e-history-jobs';
const CLAIM = 'event-logs';
/** A folder of the node that is gone when the node is. */
const FOLDER = '/run/e2e-spark-event-logs';
const ATTEMPT = { name: 'ATTEMPT', valueFrom: { fieldRef: { fieldPath: "metadata.labels['sparkoperator.k8s.io/attempt']" } } };
const SMALL = { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: QUICK_JVM };

let installation: Installation;

beforeAll(async () => {
  await prepareFolder();
  const image = { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT };
  installation = await install('e2e-history', { ...image, jobNamespaces: [], createJobNamespaces: false, defaultsConfigMapName: 'spark-defaults' }, (operator) => {
    const chart = Chart.of(operator);
    const jobs = new SparkJobNamespace(chart, 'jobs', {
      name: JOBS, operator, podSecurity: PodSecurityLevel.RESTRICTED, quota: { cpu: 2, memory: Size.gibibytes(6), pods: 10 }, limits: { maxExecutors: 2 },
    });
    addVolume(chart, jobs.name);
    new SparkHistoryServer(chart, 'history', {
      namespace: jobs.name, sparkVersion: '4.1.1', image: SPARK_IMAGE, eventLogs: EventLogStorage.claim(CLAIM), memory: Size.mebibytes(768), cpu: 0.1, env: { SPARK_DAEMON_JAVA_OPTS: QUICK_JVM },
    }).connectNamespace(jobs);
  });
  await waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available');

  const chart = new Chart(Testing.app(), 'jobs', { namespace: JOBS });
  const python = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', image: SPARK_IMAGE, fastStart: FAST_START, mainApplicationFile: 'local:///opt/spark/applications/attempts.py', driver: { ...SMALL, extraEnv: [ATTEMPT] }, sparkConf: PATIENT };
  new SparkApplication(chart, 'logged', { metadata: { name: 'logged' }, ...python, arguments: ['work'], executor: { instances: 1, ...SMALL } });
  new SparkApplication(chart, 'greedy', { metadata: { name: 'greedy' }, ...python, arguments: ['done'], executor: { instances: 3, ...SMALL } });
  await apply(Testing.synth(chart));
});

afterAll(async () => {
  await installation?.remove();
  await kubectl(['delete', `pv/${JOBS}`, 'pod/e2e-history-folder', '-n', 'default', '--ignore-not-found', '--wait=false']);
});

test('the application runs, with what the namespace gives it: account, security context and event logs', async () => {
  const { status } = await running();
  const names = (await list(JOBS, 'pods')).map(({ metadata, spec }) => `${metadata.labels['spark-role'] ?? metadata.labels['app.kubernetes.io/name']} as ${spec.serviceAccountName}`);
  expect(new Set(names)).toEqual(new Set(['driver as spark', 'executor as spark', 'spark-history-server as spark-history-server']));
  expect(status.appliedDefaults).toMatchObject([{ configMap: `${JOBS}/spark-defaults`, fields: expect.arrayContaining(['spec.driver.podSecurityContext.fsGroup', 'spec.sparkConf[spark.eventLog.dir]']) }]);
});

test('the namespace lets in restricted pods only: those of Spark are', async () => {
  await running();
  const { code, stderr } = await tryKubectl(['run', 'plain', '-n', JOBS, `--image=${SPARK_IMAGE}`, '--dry-run=server']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('violates PodSecurity "restricted');
});

test('the quota counts what runs', async () => {
  await running();
  const { used } = (await get(JOBS, 'resourcequota', 'spark')).status;
  expect(used).toMatchObject({ 'requests.cpu': '300m', 'pods': '3' });
});

test("the namespace's limits hold", async () => {
  const { status } = await waitForState(JOBS, 'greedy', 'FAILED', SPARK_TIME);
  expect(status.applicationState.errorMessage).toContain(`spec.executor.instances = "3" is more than what ConfigMap ${JOBS}/spark-defaults allows (limits.yaml: maxExecutors: 2)`);
});

test('each connection of driver and executor is one that the NetworkPolicies let through', async () => {
  await atWork();
  const pods = (await list(JOBS, 'pods')).map(({ metadata: { name, labels }, status: { podIP } }) => ({ name, namespace: JOBS, labels, ip: podIP as string }));
  const role = (end: End) => (typeof end === 'string' ? end : end.labels['spark-role'] ?? end.name);
  const { subsets: [{ addresses: [{ ip: apiServer }], ports: [{ port: apiServerPort }] }] } = await get('default', 'endpoints', 'kubernetes');
  const { spec: { clusterIP: service } } = await get('default', 'service', 'kubernetes');
  const policies = { policies: await list(JOBS, 'networkpolicies'), namespaces: { [JOBS]: {} } };
  const isSpark = ({ labels }: { labels: { [key: string]: string } }) => labels['spark-role'] !== undefined;

  const seen = (await Promise.all(pods.filter(isSpark).map(({ name }) => connectionsOf(JOBS, name)))).flat().map(({ from, to, port }) => {
    const end = (address: string): End => pods.find(({ ip }) => ip === address) ?? address;
    // Policies look at connections behind the Service.
    return to === service ? { from: end(from), to: apiServer, port: apiServerPort } : { from: end(from), to: end(to), port };
  }).filter(({ from }) => typeof from !== 'string'); // not the looks of this test at the web UI, which come from the node
  const told = seen.map(({ from, to, port }) => `${role(from)} → ${to === apiServer ? 'API server' : role(to)} ${port}`);
  console.info(`connections: ${[...new Set(told)].join(', ')}`);
  expect(told).toEqual(expect.arrayContaining(['executor → driver 7078', 'executor → driver 7079', `driver → API server ${apiServerPort}`]));
  expect(seen.filter((connection) => !isAllowed(connection, policies))).toEqual([]);
  // Without the policy for Spark's pods it would not be so: the others deny.
  expect(seen.every((connection) => isAllowed(connection, { ...policies, policies: policies.policies.filter(({ metadata }) => metadata.name !== 'spark-internal') }))).toBe(false);
});

test('when it has ended, the history server shows it', async () => {
  const sparkApplicationId = await atWork();
  await kubectl(['exec', 'logged-driver', '-n', JOBS, '--', 'touch', '/tmp/enough']);
  await waitForState(JOBS, 'logged', 'COMPLETED', SPARK_TIME);
  await waitFor(JOBS, 'deployment/spark-history-server', 'condition=Available', SPARK_TIME);

  const application = await until(60, `the history server does not know ${sparkApplicationId} as completed`, async () => (
    JSON.parse(await history('api/v1/applications?status=completed')).find(({ id }: any) => id === sparkApplicationId)
  ));
  expect(application).toMatchObject({ name: 'logged', attempts: [{ completed: true, appSparkVersion: '4.1.1' }] });
  const stages = JSON.parse(await history(`api/v1/applications/${sparkApplicationId}/stages?status=complete`));
  expect(stages.length).toBeGreaterThan(0);
});

test('spark-submit runs there, too, as a restricted Pod with the account of drivers, and leaves nothing behind', async () => {
  const chart = new Chart(Testing.app(), 'jobs', { namespace: JOBS });
  new SparkApplication(chart, 'by-spark-submit', {
    metadata: { name: 'by-spark-submit', annotations: { 'sparkoperator.k8s.io/submission-mode': 'spark-submit' } },
    type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', image: SPARK_IMAGE, fastStart: FAST_START, mainApplicationFile: 'local:///opt/spark/applications/pi.py',
    arguments: ['2'], sparkConf: PATIENT, driver: { ...SMALL }, executor: { instances: 1, ...SMALL },
  });
  await apply(Testing.synth(chart));
  await waitForState(JOBS, 'by-spark-submit', 'COMPLETED', SPARK_TIME);
  const pods = await list(JOBS, 'pods', 'sparkoperator.k8s.io/app-name=by-spark-submit');
  expect(pods.map(({ metadata }) => metadata.labels['spark-role'])).toEqual(['driver']);
  expect((await list(JOBS, 'configmaps')).filter(({ metadata }) => metadata.name.endsWith('-submit'))).toEqual([]);
});

function running(): Promise<any> {
  return waitForStatus(JOBS, 'logged', ({ executorState }) => Object.values(executorState ?? {}).some((state) => state === 'RUNNING' || state === 'COMPLETED'), SPARK_TIME);
}

/** Waits until executors have done something. @returns Spark's id of the application */
async function atWork(): Promise<string> {
  const { status: { sparkApplicationId: id } } = await running();
  await until(90, 'the driver reports no completed stage', async () => {
    const { code, stdout } = await tryKubectl(['get', '--raw', `/api/v1/namespaces/${JOBS}/pods/logged-driver:4040/proxy/api/v1/applications/${id}/stages?status=complete`]);
    return code === 0 && JSON.parse(stdout).length > 0 ? true : undefined;
  });
  return id;
}

function history(path: string): Promise<string> {
  return kubectl(['get', '--raw', `/api/v1/namespaces/${JOBS}/services/spark-history-server:http/proxy/${path}`]);
}

/** Of what there is no event to wait for: neither driver nor history server call when they know something. */
async function until<T>(seconds: number, problem: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${problem}, after ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Kubernetes gives volumes of a folder of the node (`hostPath`) to no group, so that it has to let everybody in. */
async function prepareFolder(): Promise<void> {
  await apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'e2e-history-folder', namespace: 'default' },
    spec: {
      restartPolicy: 'Never',
      securityContext: { runAsUser: 0 },
      containers: [{ name: 'folder', image: SPARK_IMAGE, command: ['chmod', '1777', '/folder'], volumeMounts: [{ name: 'folder', mountPath: '/folder' }] }],
      volumes: [{ name: 'folder', hostPath: { path: FOLDER, type: 'DirectoryOrCreate' } }],
    },
  });
  await waitFor('default', 'pod/e2e-history-folder', 'jsonpath={.status.phase}=Succeeded', SPARK_TIME);
}

function addVolume(chart: Chart, namespace: string): void {
  const common = { accessModes: ['ReadWriteMany'], storageClassName: '' };
  new ApiObject(chart, 'volume', { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: JOBS }, spec: { ...common, capacity: { storage: '1Gi' }, hostPath: { path: FOLDER }, claimRef: { namespace, name: CLAIM } } });
  new ApiObject(chart, 'claim', { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { namespace, name: CLAIM }, spec: { ...common, volumeName: JOBS, resources: { requests: { storage: '1Gi' } } } });
}
