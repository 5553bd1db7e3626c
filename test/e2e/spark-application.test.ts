/* The operator as its image runs it, on a real node, with real Spark. */
import { Chart, Duration, Size, Testing } from 'cdk8s';
import { ImagePullPolicy, SparkApplication, SparkApplicationType, type SparkApplicationProps } from '../../src';
import { forTests, synthesizeExample } from '../helpers/examples';
import { FAST_START, QUICK_JVM } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, SPARK_TIME, waitFor, waitForState } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { runSparkctl } from '../helpers/sparkctl-process';

const SPARK_IMAGE = process.env.SPARK_IMAGE!;
/** JVMs that start quickly: the node has two CPUs for everything. */
const SMALL = { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: QUICK_JVM };

/** Files that both folders of configuration have, that one of them has, and one that is also in a jar of Spark. */
const [BOTH, OF_SPARK, OF_HADOOP, IN_JAR] = ['both.properties', 'of-spark.properties', 'core-site.xml', 'hive-log4j2.properties'];
/** Prints where driver and executors find these files, and their JVMs. */
const CONFIGURATION_PROGRAM = `
import json
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
java = spark._jvm.java.lang
files = ${JSON.stringify([BOTH, OF_SPARK, OF_HADOOP, IN_JAR])}
driver = {file: str(java.ClassLoader.getSystemResource(file)) for file in files}
calls = [f"java_method('java.lang.ClassLoader', 'getSystemResource', '{file}')" for file in files]
calls.append("java_method('java.lang.System', 'getProperty', 'java.vm.info')")
row = spark.range(1).selectExpr(*calls).collect()[0]
print("FOUND " + json.dumps({
    "driver": driver, "executor": dict(zip(files, row)),
    "jvms": [java.System.getProperty("java.vm.info"), row[-1]],
}))
spark.stop()
`;

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
  for (const fastStart of ['none', 'auto']) {
    application(`configured-${fastStart}`, {
      fastStart, sparkConfigMap: 'spark-files', hadoopConfigMap: 'hadoop-files', mainApplicationFile: 'local:///opt/programs/program.py',
      driver: { configMaps: [{ name: 'configuration-program', path: '/opt/programs' }] },
    });
  }
  const configMap = (name: string, data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: jobs }, data });
  const minimal = await synthesizeExample('minimal', { SPARK_IMAGE });
  // All at once, as on a real cluster; the tests then follow one each.
  await apply([
    configMap('spark-files', { [BOTH]: 'a=b', [OF_SPARK]: 'a=b', [IN_JAR]: 'a=b' }),
    configMap('hadoop-files', { [BOTH]: 'a=b', [OF_HADOOP]: '<configuration/>' }),
    configMap('configuration-program', { 'program.py': CONFIGURATION_PROGRAM }),
    ...Testing.synth(chart), ...forTests(minimal, jobs),
  ]);
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

test('fastStart: driver and executors use the archive, and find the same configuration as without it', async () => {
  const found = async (fastStart: string) => {
    await waitForState(jobs, `configured-${fastStart}`, 'COMPLETED', SPARK_TIME);
    const log = await kubectl(['logs', `configured-${fastStart}-driver`, '-n', jobs]);
    return JSON.parse(/^FOUND (.*)$/m.exec(log)![1]!);
  };
  const [without, fast] = [await found('none'), await found('auto')];
  const folders = ({ driver, executor }: any) => ({ driver, executor });
  const places = {
    ...Object.fromEntries([BOTH, OF_SPARK, IN_JAR].map((file) => [file, `file:/etc/spark/conf/${file}`])),
    [OF_HADOOP]: `file:/etc/hadoop/conf/${OF_HADOOP}`,
  };

  expect(folders(without)).toEqual({ driver: places, executor: places });
  expect(folders(fast)).toEqual(folders(without));
  // A JVM that refused the archive would have none: not even that of the JDK.
  expect(fast.jvms).toEqual([expect.stringContaining('sharing'), expect.stringContaining('sharing')]);
  const [driver] = await list(jobs, 'pods', 'spark-role=driver,sparkoperator.k8s.io/app-name=configured-auto');
  expect(driver.spec.containers[0].env).toContainEqual(expect.objectContaining({ name: 'SPARK_LAUNCHER_OPTS' }));
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

  expect(status.applicationState.errorMessage).toMatch(/^driver does not start: (ErrImagePull|ImagePullBackOff): .*spark\.test\/nothing:1.* \(the operator gave up after 10s\)$/s);
  expect(await list(jobs, 'pods', 'sparkoperator.k8s.io/app-name=no-image')).toEqual([]);
});

test("a Secret that does not exist: FAILED with the words of the driver's events", async () => {
  const { status } = await waitForState(jobs, 'no-secret', 'FAILED', SPARK_TIME);

  expect(status.applicationState.errorMessage).toMatch(/^driver does not start: FailedMount: .*secret "no-such-key" not found.* \(the operator gave up after 10s\)$/s);
  expect(await list(jobs, 'pods', 'sparkoperator.k8s.io/app-name=no-secret')).toEqual([]);
});

test("a service account that does not exist: FAILED with the API server's words", async () => {
  const { status } = await waitForState(jobs, 'no-account', 'FAILED', SPARK_TIME);

  expect(status.applicationState.errorMessage).toBe(
    `failed to run spark-submit: the API server does not create Pod no-account-driver: pods "no-account-driver" is forbidden: error looking up service account ${jobs}/missing: serviceaccount "missing" not found (create it with the permissions of a driver, or name another account) (the operator gave up after 10s)`,
  );
});

test('the drivers had their configuration from the start', async () => {
  const events = await list(jobs, 'events');
  // A busy kubelet may be late; what must not happen is that it looks for what does not exist yet.
  expect(events.filter((event) => event.reason === 'FailedMount' && /-driver$/.test(event.involvedObject.name) && /configmap .*not found/.test(event.message))).toEqual([]);
  expect(events.filter((event) => event.reason === 'SparkApplicationCompleted').map((event) => event.involvedObject.name).sort()).toEqual(['configured-auto', 'configured-none', 'java-pi', 'python-pi', 'survivor']);
});
