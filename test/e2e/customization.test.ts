/*
 * An application that uses every customization of its pods, submitted natively and by spark-submit. Its program checks what it sees in the
 * pods; the pods as Spark made them are compared field by field.
 */
import { parse } from 'yaml';
import { ImagePullPolicy } from '../../src';
import { comparablePod } from '../helpers/comparable-pod';
import { install, type Installation } from '../helpers/installation';
import { get, kubectl, list, SPARK_TIME, waitFor, waitForState } from '../helpers/kubectl';
import { manifest } from '../helpers/manifests';
import { deleteApplications, eventsOf, inventory } from '../helpers/traces';

const image = process.env.SPARK_IMAGE!;
const NATIVE = 'everything';
const BY_SPARK_SUBMIT = 'everything-again';
/** The driver program's view of fields that Spark itself overrides when it builds the pod. */
const SEEN: Readonly<Record<string, { mode: string; memoryLimit: string; sparkConfDir: string }>> = {
  [NATIVE]: { mode: 'native', memoryLimit: '1200', sparkConfDir: '/etc/spark/conf' },
  [BY_SPARK_SUBMIT]: { mode: 'spark-submit', memoryLimit: '912', sparkConfDir: '/opt/spark/conf' },
};
const OVERRIDDEN = [
  'spec.sparkConf[spark.executor.memory] is overridden by spec.executor.memory',
  'spec.driver.envVars[STAGE] is overridden by spec.driver.env[STAGE]',
  'spec.monitoring.prometheus has no effect: metrics of neither driver nor executors are exposed',
  'spec.driver.template.spec.containers[1].env[STAGE] is overridden by spec.driver.env[STAGE]',
  'spec.driver.template.spec.priorityClassName is overridden by spec.driver.priorityClassName',
];
const OVERRIDDEN_BY_SPARK = [
  'spec.driver.memoryLimit has no effect: Spark itself sets the limit when it builds the pod, and only the operator\'s webhook can replace it',
  'spec.sparkConfigMap does not reach SPARK_CONF_DIR, which Spark sets itself when it builds the pod',
];

let installation: Installation;
let jobs: string;
let before: string[];

beforeAll(async () => {
  installation = await install('e2e-pods', { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT });
  jobs = installation.jobs;
  await setUpCluster();
  await apply(manifest('everything-around.yaml'));
  for (const [name, values] of Object.entries(SEEN)) await apply(manifest('everything-expected.yaml', { name, ...values }));
  await apply(manifest('file-server.yaml', { image }));
  await Promise.all([waitFor(jobs, 'pod/files', 'condition=Ready'), waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available')]);
  before = await inventory(jobs);
  for (const [name, values] of Object.entries(SEEN)) await apply(manifest('everything.yaml', { name, image, ...values }));
  await apply(manifest('needs-spark-submit.yaml', { image, namespace: jobs }));
});

afterAll(async () => {
  try {
    await installation?.remove();
  } finally {
    await tearDownCluster();
  }
});

test('submitted natively, both pods have everything, and nothing else', async () => {
  const application = await waitForState(jobs, NATIVE, 'COMPLETED', SPARK_TIME);
  const { driver, executor } = await podsOf(application);

  expect(driver).toEqual(expected('everything-driver.yaml', NATIVE));
  expect(executor).toEqual(expected('everything-executor.yaml', NATIVE));
  expect(await logOf(`${NATIVE}-main`)).toMatch(/^by sparkConfigMap: INFO .*^All is as expected in the driver and in 1 executors$/ms);
});

test('submitted by spark-submit, both pods have everything but what Spark itself has the last word on', async () => {
  const application = await waitForState(jobs, BY_SPARK_SUBMIT, 'COMPLETED', SPARK_TIME);
  const { driver, executor } = await podsOf(application);

  const [wantedDriver, wantedExecutor] = [expected('everything-driver.yaml', BY_SPARK_SUBMIT), expected('everything-executor.yaml', BY_SPARK_SUBMIT)];
  const container = wantedDriver.spec.containers['spark-kubernetes-driver'];
  container.env.SPARK_CONF_DIR = '/opt/spark/conf';
  container.resources.limits.memory = '912Mi';
  wantedDriver.spec.volumes['pod-template-volume'].configMap.name = `${BY_SPARK_SUBMIT}-ID-driver-podspec-conf-map`;
  delete wantedExecutor.spec.volumes['spark-conf-volume-exec'].configMap.items; // the files of the driver's SPARK_CONF_DIR
  expect(driver).toEqual(wantedDriver);
  expect(executor).toEqual(wantedExecutor);
});

test.each([NATIVE, BY_SPARK_SUBMIT])('%s: the Service of the driver has labels and annotations', async (name) => {
  const { status } = await get(jobs, 'sparkapp', name);
  const [service] = await list(jobs, 'services', `spark-app-selector=${status.sparkApplicationId}`);

  expect(service.metadata).toMatchObject({ labels: { tier: 'batch' }, annotations: { 'example.org/exposed': 'no' } });
});

test('an event reports settings without effect', async () => {
  expect(await eventsOf(jobs, 'SparkApplicationSpecWarning', NATIVE)).toMatchObject([{ message: OVERRIDDEN.join('; ') }]);
  expect(await eventsOf(jobs, 'SparkApplicationSpecWarning', BY_SPARK_SUBMIT)).toMatchObject([{ message: [...OVERRIDDEN, ...OVERRIDDEN_BY_SPARK].join('; ') }]);
});

test('what cannot be submitted natively is submitted by spark-submit, and ends with the container of Spark, whatever its name', async () => {
  await waitForState(jobs, 'needs-spark-submit', 'COMPLETED', SPARK_TIME);
  const driver = await get(jobs, 'pod', 'needs-spark-submit-driver');

  expect(await eventsOf(jobs, 'SparkApplicationSubmitting', 'needs-spark-submit')).toMatchObject([{ message: 'SparkApplication needs-spark-submit is submitted by spark-submit: spec.mainClass is missing: the operator does not open the jar to look for it' }]);
  expect(await eventsOf(jobs, 'SparkApplicationSpecWarning', 'needs-spark-submit')).toMatchObject([{ message: 'spec.driver.template.spec.hostnam has no effect: it is not a field; did you mean hostname?' }]);
  expect(driver.status.containerStatuses.map(({ name, state }: any) => [name, Object.keys(state)[0]])).toEqual([['beside', 'running'], ['main', 'terminated']]);
  expect(await logOf('needs-spark-submit-driver')).toMatch(/^Pi is roughly 3/m);
});

test('no driver that was submitted natively waited for a ConfigMap', async () => {
  const events = await eventsOf(jobs, 'FailedMount', `${NATIVE}-main`);
  expect(events.filter(({ message }) => /not found/.test(message))).toEqual([]);
});

test('all that was made for an application goes with it', async () => {
  const made = (await inventory(jobs)).filter((name) => !before.includes(name));
  expect(made.map((name) => name.replace(/[0-9a-f]{16}/, 'ID')).sort()).toEqual([
    'pod/everything-ID-exec-1',
    'pod/everything-again-ID-exec-1',
    'pod/everything-again-main',
    'pod/everything-main',
    'pod/needs-spark-submit-driver',
    'service/everything-ID-driver-svc',
    'service/everything-again-ID-driver-svc',
    'configmap/everything-again-ID-driver-podspec-conf-map',
    'configmap/needs-spark-submit-ID-driver-podspec-conf-map',
    'configmap/spark-drv-ID-conf-map',
    'configmap/spark-drv-ID-conf-map',
    'configmap/spark-drv-ID-conf-map',
    'configmap/spark-exec-ID-conf-map',
    'configmap/spark-exec-ID-conf-map',
    'persistentvolumeclaim/everything-ID-exec-1-spark-local-dir-3',
    'persistentvolumeclaim/everything-again-ID-exec-1-spark-local-dir-3',
  ].sort());

  await deleteApplications(jobs, made, SPARK_TIME);
});

async function setUpCluster(): Promise<void> {
  await tearDownCluster({ wait: true });
  await kubectl(['apply', '-f', '-'], manifest('cluster.yaml'));
  await offerGpus(4);
}

/** Deletes cluster-wide objects, which would remain. The volumes are deleted after the namespace. */
async function tearDownCluster({ wait } = { wait: false }): Promise<void> {
  await kubectl(['delete', '--ignore-not-found', `--wait=${wait}`, '--timeout=180s', '-f', '-'], manifest('cluster.yaml'));
  await offerGpus(null);
}

/** A node that says that it has them. */
async function offerGpus(gpus: number | null): Promise<void> {
  const [node] = await list('', 'nodes');
  const resource = { 'spark.test/gpu': gpus };
  await kubectl(['patch', 'node', node.metadata.name, '--subresource=status', '--type=merge', '--patch', JSON.stringify({ status: { capacity: resource, allocatable: resource } })]);
}

function apply(text: string): Promise<string> {
  return kubectl(['apply', '-n', jobs, '-f', '-'], text);
}

function expected(file: string, name: string): any {
  return parse(manifest(file, { name, image, namespace: jobs, mode: SEEN[name]!.mode }));
}

/** The pods of an application, without what is different in each run. */
async function podsOf({ metadata, status }: any): Promise<{ driver: any; executor: any }> {
  const driver = await get(jobs, 'pod', status.driverInfo.podName);
  const executors = await list(jobs, 'pods', `spark-role=executor,sparkoperator.k8s.io/app-name=${metadata.name}`);
  expect(executors).toHaveLength(1);
  const names = { [metadata.uid]: 'UID', [status.submissionID]: 'SUBMISSION', [driver.status.podIP]: 'DRIVER-IP' };
  return { driver: comparablePod(driver, names), executor: comparablePod(executors[0], names) };
}

function logOf(pod: string): Promise<string> {
  return kubectl(['logs', pod, '-n', jobs, '-c', pod.endsWith('-main') ? 'spark-kubernetes-driver' : 'main']);
}
