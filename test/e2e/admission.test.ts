/* The webhook in pods of its own, as the API server of a real cluster finds it; it is killed and taken away in the middle of the work. */
import { Chart, Size, Testing } from 'cdk8s';
import { ImagePullPolicy, SparkApplication, SparkApplicationType, type SparkApplicationProps } from '../../src';
import { FAST_START, QUICK_JVM } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, SPARK_TIME, tryKubectl, waitFor, waitForState, waitForStatus } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';

/** JVMs that start quickly: the node has two CPUs for everything. */
const SMALL = { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: QUICK_JVM };
/** For a busy machine. */
const LIMIT = { memoryLimit: Size.mebibytes(1300) };
const WEBHOOK = 'deployment/spark-operator-webhook';

let installation: Installation;
let jobs: string;

/** An application whose executors remain after its end, for the tests to read. */
function application(name: string, { executor, driver, ...props }: Partial<SparkApplicationProps> = {}): object {
  const chart = new Chart(Testing.app(), name, { namespace: jobs });
  new SparkApplication(chart, name, {
    metadata: { name },
    type: SparkApplicationType.PYTHON,
    sparkVersion: '4.1.1',
    image: process.env.SPARK_IMAGE,
    fastStart: FAST_START,
    mainApplicationFile: 'local:///opt/spark/applications/pi.py',
    sparkConf: PATIENT,
    driver: { ...SMALL, ...driver },
    executor: { instances: 1, deleteOnTermination: false, ...SMALL, ...executor },
    ...props,
  });
  return Testing.synth(chart)[0];
}

/** An application with what Spark itself sets otherwise when it builds the pod. */
function limited(name: string, annotations?: { [name: string]: string }): any {
  const { spec, ...rest } = application(name, { driver: LIMIT }) as any;
  return { ...rest, metadata: { ...rest.metadata, annotations }, spec: { ...spec, executor: { ...spec.executor, memoryLimit: '1300m' } } };
}

beforeAll(async () => {
  installation = await install('e2e-admission', {
    image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT, webhook: { deployment: { replicas: 1 } },
  });
  jobs = installation.jobs;
  // At once: no webhook is ready yet that the API server could ask.
  await apply([limited('native'), limited('by-spark-submit', { 'sparkoperator.k8s.io/submission-mode': 'spark-submit' })]);
  await Promise.all([WEBHOOK, 'deployment/spark-operator'].map((deployment) => waitFor(installation.namespace, deployment, 'condition=Available', SPARK_TIME)));
});

afterAll(() => installation?.remove());

test.each(['native', 'by-spark-submit'])('%s: driver and executors have the limits that Spark would not give them', async (name) => {
  await waitForState(jobs, name, 'COMPLETED', SPARK_TIME);
  const pods = await list(jobs, 'pods', `sparkoperator.k8s.io/app-name=${name}`);

  expect(pods.map(({ metadata, spec }) => [metadata.labels['spark-role'], spec.containers[0].resources.limits.memory])).toEqual(expect.arrayContaining([['driver', '1300Mi'], ['executor', '1300Mi']]));
  expect(pods.map(({ metadata }) => metadata.ownerReferences[0].kind).sort()).toEqual(['Pod', 'SparkApplication']);
});

test('kubectl prints the mistake', async () => {
  const { spec, ...rest } = application('wrong') as any;
  const { code, stderr } = await tryKubectl(['apply', '-f', '-'], JSON.stringify({ ...rest, spec: { ...spec, sparkConf: { 'spark.driver.memoryOverhead': 'lots' } } }));

  expect(code).not.toBe(0);
  expect(stderr).toMatch(/admission webhook "validate-sparkapplication\.sparkoperator\.k8s\.io" denied the request/);
});

test('it is taken away: what needs it waits and says so, the rest runs; it comes back, and what waited runs', async () => {
  await kubectl(['scale', WEBHOOK, '-n', installation.namespace, '--replicas=0']);
  await kubectl(['wait', '--for=delete', 'pod', '-l', 'app.kubernetes.io/name=spark-operator-webhook', '-n', installation.namespace, '--timeout=180s']);
  await apply([limited('later'), application('anyway')]);
  const { status } = await waitForStatus(jobs, 'later', ({ applicationState }) => /webhook/.test(applicationState?.errorMessage ?? ''), SPARK_TIME);
  expect(status.applicationState.errorMessage).toMatch(/mutate-pod\.sparkoperator\.k8s\.io.*cannot be called/);
  await waitForState(jobs, 'anyway', 'COMPLETED', SPARK_TIME);
  expect((await get(jobs, 'sparkapp', 'later')).status.driverInfo.podName).toBeDefined();

  await kubectl(['scale', WEBHOOK, '-n', installation.namespace, '--replicas=1']);
  const { status: after } = await waitForState(jobs, 'later', 'COMPLETED', SPARK_TIME);
  expect(after).toMatchObject({ submissionAttempts: 1, executionAttempts: 1 });
});

test('it is killed while executors are asked for: Spark asks again, and they come as they are to be', async () => {
  const sleeper = limited('killed');
  await apply({ ...sleeper, spec: { ...sleeper.spec, mainApplicationFile: 'local:///opt/spark/applications/sleep.py', arguments: ['20'] } });
  await waitForState(jobs, 'killed', 'SUBMITTED', 60).catch(() => {});
  // The driver is there; its executors are asked for seconds later.
  await kubectl(['delete', 'pod', '-l', 'app.kubernetes.io/name=spark-operator-webhook', '-n', installation.namespace, '--grace-period=0', '--force']);
  await waitForState(jobs, 'killed', 'COMPLETED', SPARK_TIME);
  const executors = await list(jobs, 'pods', 'sparkoperator.k8s.io/app-name=killed,spark-role=executor');

  expect(new Set(executors.map(({ spec }) => spec.containers[0].resources.limits.memory))).toEqual(new Set(['1300Mi']));
});
