/* The operator as its image runs it, on a real node, with real Spark. */
import { Chart, Duration, Size, Testing } from 'cdk8s';
import { ImagePullPolicy, SparkApplication, SparkApplicationType, type SparkApplicationProps } from '../../src';
import { forTests, synthesizeExample } from '../helpers/examples';
import { FAST_START } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, SPARK_TIME, waitFor, waitForState } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { runSparkctl } from '../helpers/sparkctl-process';

const SPARK_IMAGE = process.env.SPARK_IMAGE!;
/** JVMs that start quickly: the node has two CPUs for everything. */
const SMALL = { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: '-XX:+UseSerialGC -XX:TieredStopAtLevel=1' };

let installation: Installation;
let jobs: string;

beforeAll(async () => {
  installation = await install('e2e', { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT, driverStartTimeout: Duration.seconds(10) });
  jobs = installation.jobs;
  await waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available');

  const chart = new Chart(Testing.app(), 'jobs', { namespace: jobs });
  const application = (name: string, props: Partial<SparkApplicationProps>) => new SparkApplication(chart, name, {
    metadata: { name },
    type: SparkApplicationType.PYTHON,
    sparkVersion: '4.1.1',
    image: SPARK_IMAGE,
    fastStart: FAST_START,
    mainApplicationFile: 'local:///opt/spark/applications/pi.py',
    sparkConf: PATIENT,
    ...props,
    driver: { ...SMALL, ...props.driver },
    executor: { instances: 1, ...SMALL },
  });
  application('survivor', { mainApplicationFile: 'local:///opt/spark/applications/sleep.py', arguments: ['10'] });
  application('user-error', { mainApplicationFile: 'local:///opt/spark/applications/fail.py' });
  application('jvm-error', { type: SparkApplicationType.JAVA, mainClass: 'JavaFail', mainApplicationFile: 'local:///opt/spark/applications/java-fail.jar' });
  application('no-image', { image: 'spark.test/nothing:1' });
  application('no-secret', { driver: { secrets: [{ name: 'no-such-key', path: '/mnt/key' }] } });
  application('no-account', { driver: { serviceAccount: 'missing' } });
  const minimal = await synthesizeExample('minimal', { SPARK_IMAGE });
  // All at once, as on a real cluster; the tests then follow one each.
  await apply([...Testing.synth(chart), ...forTests(minimal, jobs)]);
});

afterAll(() => installation?.remove());

test('the operator is killed in the middle of all this: nothing changes in the outcome', async () => {
  await waitForState(jobs, 'survivor', 'RUNNING', SPARK_TIME);
  const driver = await get(jobs, 'pod', 'survivor-driver');
  const [before] = await list(installation.namespace, 'pods');
  await kubectl(['delete', 'pod', before.metadata.name, '-n', installation.namespace, '--grace-period=0', '--force']);
  await waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available', SPARK_TIME);
  const { status } = await waitForState(jobs, 'survivor', 'COMPLETED', SPARK_TIME);

  expect(status).toMatchObject({ executionAttempts: 1, submissionAttempts: 1 });
  expect((await get(jobs, 'pod', 'survivor-driver')).metadata.uid).toBe(driver.metadata.uid);
  const [after] = await list(installation.namespace, 'pods');
  expect(after.metadata.uid).not.toBe(before.metadata.uid);
});

test.each([['python-pi'], ['java-pi']])('examples/minimal: %s runs to COMPLETED', async (name) => {
  const { status } = await waitForState(jobs, name, 'COMPLETED', SPARK_TIME);

  expect(await kubectl(['logs', `${name}-driver`, '-n', jobs])).toMatch(/^Pi is roughly 3\.\d+/m);
  expect(status).toMatchObject({ executionAttempts: 1, submissionAttempts: 1 });
  expect(Object.values(status.executorState)).toEqual(['COMPLETED']);
  expect(Date.parse(status.terminationTime)).toBeGreaterThanOrEqual(Date.parse(status.lastSubmissionAttemptTime));
});

test.each([
  ['user-error', 'RuntimeError: the input table is missing'],
  ['jvm-error', 'IllegalStateException: the input table is missing'],
])('%s: FAILED with exit code and the exception of the driver, without its stack', async (name, words) => {
  const { status } = await waitForState(jobs, name, 'FAILED', SPARK_TIME);
  const driver = await get(jobs, 'pod', `${name}-driver`);
  // The kubelet keeps 2 KiB, which the log of a driver that ends slowly can fill after its exception. sparkctl reads more.
  const { message = '' } = driver.status.containerStatuses.find((container: any) => container.name === 'spark-kubernetes-driver').state.terminated;
  const cause = `${words} \\(\\S+:\\d+\\)`;

  expect(status.applicationState.errorMessage).toMatch(/^driver container failed with ExitCode: 1, Reason: Error/);
  if (message.includes(words)) expect(status.applicationState.errorMessage).toMatch(new RegExp(`Error; ${cause}$`));
  expect((await runSparkctl(['status', name, '-n', jobs])).stdout).toMatch(new RegExp(cause));
});

test("an image that does not exist: FAILED with the kubelet's words, and no driver is left that could start later", async () => {
  const { status } = await waitForState(jobs, 'no-image', 'FAILED', SPARK_TIME);

  expect(status.applicationState.errorMessage).toMatch(/^driver does not start: (ErrImagePull|ImagePullBackOff): .*spark\.test\/nothing:1.* \(waited 10 s for it\)$/s);
  expect(await list(jobs, 'pods', 'sparkoperator.k8s.io/app-name=no-image')).toEqual([]);
});

test("a Secret that does not exist: FAILED with the words of the driver's events", async () => {
  const { status } = await waitForState(jobs, 'no-secret', 'FAILED', SPARK_TIME);

  expect(status.applicationState.errorMessage).toMatch(/^driver does not start: FailedMount: .*secret "no-such-key" not found.* \(waited 10 s for it\)$/s);
  expect(await list(jobs, 'pods', 'sparkoperator.k8s.io/app-name=no-secret')).toEqual([]);
});

test("a service account that does not exist: FAILED with the API server's words", async () => {
  const { status } = await waitForState(jobs, 'no-account', 'FAILED', SPARK_TIME);

  expect(status.applicationState.errorMessage).toBe(
    `failed to run spark-submit: the API server does not create Pod no-account-driver: pods "no-account-driver" is forbidden: error looking up service account ${jobs}/missing: serviceaccount "missing" not found (create it with the permissions of a driver, or name another account) (waited 10 s for it)`,
  );
});

test('the drivers had their configuration from the start', async () => {
  const events = await list(jobs, 'events');
  // A busy kubelet may be late; what must not happen is that it looks for what does not exist yet.
  expect(events.filter((event) => event.reason === 'FailedMount' && /-driver$/.test(event.involvedObject.name) && /configmap .*not found/.test(event.message))).toEqual([]);
  expect(events.filter((event) => event.reason === 'SparkApplicationCompleted').map((event) => event.involvedObject.name).sort()).toEqual(['java-pi', 'python-pi', 'survivor']);
});
