/* Dependencies and dynamic allocation, which the operator hands over to Spark; and applications that it refuses to submit. */
import { Chart, Size, Testing } from 'cdk8s';
import { ImagePullPolicy, SparkApplication, SparkApplicationType } from '../../src';
import { find, forTests, synthesizeExample } from '../helpers/examples';
import { FAST_START, QUICK_JVM } from '../helpers/fast-start';
import { install, type Installation } from '../helpers/installation';
import { apply, get, kubectl, list, SPARK_TIME, tryKubectl, waitFor, waitForState, watch } from '../helpers/kubectl';
import { PATIENT } from '../helpers/patience';
import { manifest } from '../helpers/manifests';
import { deleteApplications, eventsOf, inventory } from '../helpers/traces';

const image = process.env.SPARK_IMAGE!;
/** JVMs that start quickly: the node has two CPUs for everything. */
const SMALL = { coreRequest: '100m', memory: Size.mebibytes(512), javaOptions: QUICK_JVM };
const FILES = 'http://files:8000';

let installation: Installation;
let jobs: string;
let before: string[];

beforeAll(async () => {
  installation = await install('e2e-submission', { image: process.env.OPERATOR_IMAGE, imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT });
  jobs = installation.jobs;
  await kubectl(['apply', '-n', jobs, '-f', '-'], manifest('file-server.yaml', { image }));
  await Promise.all([waitFor(jobs, 'pod/files', 'condition=Ready'), waitFor(installation.namespace, 'deployment/spark-operator', 'condition=Available')]);
  const example = async (name: string, environment: Record<string, string>, changes: object) => (
    forTests(await synthesizeExample(name, { SPARK_IMAGE: image, ...environment }), jobs, { ...changes })
  );
  const [scaling, dependent] = await Promise.all([
    // Of this version on there is a NetworkPolicy, too; the image need not know.
    example('dynamic-allocation', {}, { sparkVersion: '4.2.1' }),
    example('python-dependencies', { FILES_URL: FILES }, { nodeSelector: { 'kubernetes.io/os': 'linux' } }),
  ]);
  await apply(find(scaling, 'ConfigMap', 'burst-program'));
  before = await inventory(jobs);

  const chart = new Chart(Testing.app(), 'jobs', { namespace: jobs });
  new SparkApplication(chart, 'words-jvm', {
    metadata: { name: 'words-jvm' },
    type: SparkApplicationType.JAVA,
    sparkVersion: '4.1.1',
    image,
    fastStart: FAST_START,
    mainClass: 'JavaWords',
    mainApplicationFile: `${FILES}/java-words.jar`,
    arguments: ['Shouting'],
    deps: { files: [`${FILES}/stopwords.txt`], archives: [`${FILES}/dictionary.zip#dictionary`], jars: [`${FILES}/shouting.jar`] },
    sparkConf: PATIENT,
    driver: SMALL,
    executor: { ...SMALL, hostNetwork: true, deleteOnTermination: false },
  });
  await apply([...Testing.synth(chart), find(scaling, 'SparkApplication', 'burst'), find(dependent, 'SparkApplication', 'words')]);
});

afterAll(() => installation?.remove());

test('examples/dynamic-allocation: executors come with a burst of work and go with it, while the application runs', async () => {
  const running = new Set<string>();
  const seen: number[] = [];
  const args = ['pods', '-n', jobs, '-l', 'spark-role=executor,sparkoperator.k8s.io/app-name=burst', '--output-watch-events', '-o', 'jsonpath={.type} {.object.metadata.name} {.object.status.phase}{"\\n"}'];
  const end = await watch(args, (line) => {
    const [type, name, phase] = line.split(' ');
    if (phase === 'Running' && type !== 'DELETED') running.add(name!);
    else running.delete(name!);
    if (seen.at(-1) !== running.size) seen.push(running.size);
    return seen.includes(3) && running.size === 1 ? 'down again' : undefined;
  }, 600);
  expect(end).toBe('down again');
  expect((await get(jobs, 'sparkapp', 'burst')).status.applicationState.state).toBe('RUNNING');
  expect(seen.slice(0, seen.indexOf(3) + 1)).toEqual(expect.arrayContaining([1, 3]));
  expect(await list(jobs, 'networkpolicies', 'sparkoperator.k8s.io/app-name=burst')).toHaveLength(1);

  await waitForState(jobs, 'burst', 'COMPLETED', SPARK_TIME);
  expect(await kubectl(['logs', 'burst-driver', '-n', jobs])).toMatch(/^Scaled up to 3 executors$.*^Scaled down to 1 executors$/ms);
}, 1_000_000);

// `words` is that of examples/python-dependencies.
test.each(['words', 'words-jvm'])('%s: main file, libraries, files and archives come by HTTP, and are used in driver and executors', async (name) => {
  await waitForState(jobs, name, 'COMPLETED', SPARK_TIME);

  expect(await kubectl(['logs', `${name}-driver`, '-n', jobs])).toMatch(/^3 of 5 words: BEST! BOTH! WORLDS!$/m);
});

test('executors in the network of their node', async () => {
  const [executor] = await list(jobs, 'pods', 'spark-role=executor,sparkoperator.k8s.io/app-name=words-jvm');

  expect(executor.spec).toMatchObject({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' });
  expect(executor.status.podIP).toBe(executor.status.hostIP);
});

test.each([
  ['memory that is none', 'refused-memory', { sparkConf: { 'spark.executor.memory': 'lots' } },
    'spec.sparkConf[spark.executor.memory] = "lots" is not a size as Spark writes it; write a whole number and a unit, such as 512m or 4g (not 4Gi)'],
  ['a volume that does not exist', 'refused-volume', { executor: { sidecars: [{ name: 'beside', image, volumeMounts: [{ name: 'nowhere', mountPath: '/data' }] }] } },
    'spec.executor.sidecars[0].volumeMounts[0] = "nowhere" names no volume; add it to spec.volumes'],
  ['a template that is none', 'refused-template', { driver: { template: { spec: { containers: { name: 'spark-kubernetes-driver' } } } } },
    'spec.driver.template.spec.containers must be a list'],
  ['an address that is none, which only the API server sees', 'refused-address', { driver: { dnsConfig: { nameservers: ['nowhere'] } } },
    'failed to run spark-submit: the API server does not create Pod refused-address-driver: Pod "refused-address-driver" is invalid: spec.dnsConfig.nameservers[0]: Invalid value: "nowhere": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
])('%s: one error that says where and what to do, and nothing is created', async (_, name, { driver, executor, ...spec }: any, message) => {
  await apply({
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace: jobs },
    spec: {
      type: 'Python', sparkVersion: '4.1.1', image, mainApplicationFile: 'local:///opt/spark/applications/pi.py',
      driver: { serviceAccount: 'spark', ...driver }, executor: { ...executor }, ...spec,
    },
  });
  const { status } = await waitForState(jobs, name, 'FAILED', SPARK_TIME);

  expect(status.applicationState.errorMessage).toBe(message);
  expect(await eventsOf(jobs, 'SparkApplicationSubmissionFailed', name)).toMatchObject([{ message: `SparkApplication ${name} could not be submitted: ${message.replace('failed to run spark-submit: ', '')}` }]);
  expect((await inventory(jobs)).filter((object) => object.includes(name))).toEqual([]);
  expect(await list(jobs, 'configmaps', `sparkoperator.k8s.io/app-name=${name}`)).toEqual([]);
});

test('a name that is too long is not even taken', async () => {
  const { code, stderr } = await tryKubectl(['apply', '-n', jobs, '-f', '-'], manifest('needs-spark-submit.yaml', { image, namespace: jobs }).replace('name: needs-spark-submit', `name: ${'a'.repeat(64)}`));

  expect(code).not.toBe(0);
  expect(stderr).toContain('metadata.name must have at most 63 characters, as it becomes a label of the pods');
});

test('no driver waited for a ConfigMap', async () => {
  // Executors can: Spark's driver makes their ConfigMap after the first of them (KubernetesClusterSchedulerBackend.start).
  const events = (await eventsOf(jobs, 'FailedMount')).filter(({ involvedObject, message }) => involvedObject.name.endsWith('-driver') && /not found/.test(message));
  expect(events).toEqual([]);
});

test('all that was made for an application goes with it', async () => {
  const made = (await inventory(jobs)).filter((name) => !before.includes(name));
  expect(made.map((name) => name.replace(/[0-9a-f]{16}/, 'ID')).sort()).toEqual([
    'pod/burst-driver',
    'pod/words-jvm-ID-exec-1',
    'pod/words-jvm-driver',
    'pod/words-driver',
    'configmap/spark-drv-ID-conf-map',
    'configmap/spark-drv-ID-conf-map',
    'configmap/spark-drv-ID-conf-map',
    'configmap/spark-exec-ID-conf-map', // of words-jvm, with its executor
    'networkpolicy.networking.k8s.io/burst-ID-policy',
  ].sort());

  await deleteApplications(jobs, made, SPARK_TIME);
});
