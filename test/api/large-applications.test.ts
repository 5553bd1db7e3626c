/*
 * Applications as large as etcd stores them, beside a real operator with the memory of a small pod:
 * they end it neither when it lists them nor when it watches them, each fails with the reason, and
 * others are run. The CRD lets them pass: it limits entries, not bytes.
 */
import { ApiServer } from '../helpers/api-server';
import { MemoryLimit } from './helpers/memory-limit';
import { until } from './helpers/until';
import { install, type Installation } from '../helpers/installation';
import { waitForState } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';

const MIB = 1024 * 1024;
const LIMIT = 256 * MIB;
/** Seconds for all of them: some 100 MiB go to the API server and come from it. */
const PATIENCE = 300;
/** As the image starts it. */
const NODE_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=20', '--expose-gc'];

const HUGE = { stored: 60, created: 15 };
const LARGE = 10;

let installation: Installation;
let api: ApiServer;
let limit: MemoryLimit;
let operator: OperatorProcess;
const path = () => `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${installation.jobs}/sparkapplications`;

beforeAll(async () => {
  installation = await install('large');
  api = new ApiServer();
  limit = new MemoryLimit('large-applications', LIMIT);
});

afterAll(async () => {
  await operator?.stop('SIGKILL');
  limit?.remove();
  api?.close();
  await installation?.remove();
});

/** Starts the operator with the memory of a pod, and waits until it has seen all that there is. */
async function start(): Promise<OperatorProcess> {
  const flags = [`--kubeconfig=${installation.kubeconfig}`, `--namespaces=${installation.jobs}`, '--enable-driver-ingress=false'];
  operator = new OperatorProcess(flags, { MALLOC_ARENA_MAX: '2' }, ([node, ...rest]) => limit.around([node!, ...NODE_FLAGS, ...rest]));
  return operator.ready();
}

function application(name: string, spec: object = {}) {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace: installation.jobs },
    spec: {
      type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py',
      driver: { serviceAccount: 'spark' }, executor: {}, restartPolicy: { type: 'Always' }, ...spec,
    },
  };
}

const text = (bytes: number) => 'x'.repeat(bytes);
const numbered = <T>(count: number, entry: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => entry(index));

/** Specifications of 1.3 MiB: one long value, many properties, many variables, many arguments. */
const SPECS: readonly (() => object)[] = [
  () => ({ sparkConf: { 'spark.example.long': text(1.3 * MIB) } }),
  () => ({ sparkConf: Object.fromEntries(numbered(2_000, (index) => [`spark.example.${index}`, text(650)])) }),
  () => ({ driver: { serviceAccount: 'spark', env: numbered(2_000, (index) => ({ name: `NAME_${index}`, value: text(630) })) } }),
  () => ({ arguments: numbered(10_000, (index) => `${index} ${text(128)}`) }),
];

/** Creates applications, some at a time. */
async function create(names: readonly string[], specOf: (index: number) => object): Promise<void> {
  const left = [...names.entries()];
  await Promise.all(numbered(4, async () => {
    for (let next = left.shift(); next; next = left.shift()) await api.must('POST', path(), application(next[1], specOf(next[0])));
  }));
}

const hugeOf = (index: number) => SPECS[index % SPECS.length]!();
const huge = (kind: keyof typeof HUGE) => numbered(HUGE[kind], (index) => `${kind}-${index}`);

/** The samples of a metric whose labels fit, added up. */
async function metric(name: string, labels: RegExp = /^/): Promise<number> {
  const answer = await (await fetch(`http://127.0.0.1:${(await operator.ports()).metrics}/metrics`)).text();
  const samples = [...answer.matchAll(/^(\w+)(\{.*\})? (\S+)$/gm)].filter(([, family, given = '']) => family === name && labels.test(given));
  return samples.reduce((sum, [, , , value]) => sum + Number(value), 0);
}

const failed = () => metric('spark_operator_applications', /state="FAILED"/);
const passes = () => metric('controller_runtime_reconcile_time_seconds_count', /controller="sparkapplication"/);

function report(when: string): void {
  console.info(`peak memory ${when}: ${Math.round(operator.peakMemory() / MIB)} MiB`);
  expect(operator.peakMemory()).toBeLessThan(LIMIT);
}

/** Returns the status of each of them, with its resource version. */
async function statuses(names: readonly string[]): Promise<any[]> {
  const found = [];
  for (const name of names) {
    const { metadata, status } = await api.must('GET', `${path()}/${name}`);
    found.push({ resourceVersion: metadata.resourceVersion, ...status });
  }
  return found;
}

test('those that were stored before it starts fail, each with the reason, and without an attempt', async () => {
  await create(huge('stored'), hugeOf);
  await start();
  await until(async () => await failed() === HUGE.stored, PATIENCE);
  report('after the list');
  for (const status of await statuses(huge('stored'))) {
    expect(status.applicationState).toEqual({ state: 'FAILED', errorMessage: expect.stringMatching(/^spec must have at most 256 KiB as JSON, not 1[0-9]{3} KiB; move long values into/) });
    expect(status.submissionAttempts).toBeUndefined();
  }
}, 2 * PATIENCE * 1000);

test('so do those that are created while it runs', async () => {
  await create(huge('created'), hugeOf);
  await until(async () => await failed() === HUGE.stored + HUGE.created, PATIENCE);
  report('after the watch');
}, 2 * PATIENCE * 1000);

test('an ordinary application beside them is submitted, and they are not reconciled again', async () => {
  const before = await passes();
  expect(before).toBeLessThanOrEqual(4 * (HUGE.stored + HUGE.created));
  const versions = (await statuses(huge('created'))).map(({ resourceVersion }) => resourceVersion);
  await api.must('POST', path(), application('pi'));
  await waitForState(installation.jobs, 'pi', 'SUBMITTED');
  expect(await passes() - before).toBeLessThanOrEqual(10);
  expect((await statuses(huge('created'))).map(({ resourceVersion }) => resourceVersion)).toEqual(versions);
}, 2 * PATIENCE * 1000);

test('those within the limits are submitted with all that they say', async () => {
  const names = numbered(LARGE, (index) => `within-${index}`);
  await create(names, (index) => ({ sparkConf: { 'spark.example.long': text(200 * 1024), 'spark.example.last': String(index), 'spark.kubernetes.driver.pod.name': `named-${index}` } }));
  for (const [index, name] of names.entries()) {
    const { status } = await waitForState(installation.jobs, name, 'SUBMITTED', PATIENCE);
    expect(status.driverInfo.podName).toBe(`named-${index}`);
    const driver = await api.must('GET', `/api/v1/namespaces/${installation.jobs}/pods/named-${index}`);
    const { configMap } = driver.spec.volumes.find((volume: any) => volume.name === 'spark-conf-volume-driver');
    const { data } = await api.must('GET', `/api/v1/namespaces/${installation.jobs}/configmaps/${configMap.name}`);
    expect(data['spark.properties']).toContain(`spark.example.last=${index}\n`);
    expect(data['spark.properties'].length).toBeGreaterThan(200 * 1024);
  }
  report('after large submissions');
}, 2 * PATIENCE * 1000);

test('after a restart they stay as they are, and one that is made smaller is run', async () => {
  expect(await operator.stop()).toBe(0);
  await start();
  expect(await failed()).toBe(HUGE.stored + HUGE.created);
  const { spec } = application('stored-0', { sparkConf: { 'spark.example.long': null } });
  await api.must('PATCH', `${path()}/stored-0`, { spec }, 'application/merge-patch+json');
  await until(async () => (await api.must('GET', `${path()}/stored-0`)).status.applicationState?.state === 'SUBMITTED', PATIENCE);
  report('after the restart');
}, 2 * PATIENCE * 1000);
