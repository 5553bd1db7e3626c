/* Mistakes that otherwise only Spark or the cluster would reject. */
import { Duration, JsonPatch, Size, Testing } from 'cdk8s';
import { problemsOf, synthesized } from './synthesis';
import { DynamicAllocation, LocalDir, Monitoring, SparkApplication, type SparkApplicationProps, SparkApplicationType } from '../../src';

const BASE: SparkApplicationProps = {
  type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', metadata: { name: 'pi' },
};

const application = (props: Partial<SparkApplicationProps> = {}) => new SparkApplication(Testing.chart(), 'pi', { ...BASE, ...props });
const specOf = (props: Partial<SparkApplicationProps>) => synthesized(application(props))[0].spec;

test.each<[Partial<SparkApplicationProps>, string]>([
  [{ driver: { serviceAccount: 'Bad Name' } }, 'driver.serviceAccount = "Bad Name" is not a name'],
  [{ executor: { serviceAccount: '' } }, 'executor.serviceAccount = "" is not a name'],
  [{ driver: { priorityClassName: 'A B' } }, 'driver.priorityClassName = "A B" is not a name'],
  [{ imagePullSecrets: ['registry', ''] }, 'imagePullSecrets[1] = "" is not a name'],
  [{ image: '' }, 'image = "" is not the name of an image'],
  [{ executor: { image: 'Foo Bar' } }, 'executor.image = "Foo Bar" is not the name of an image'],
  [{ ui: { portName: 'Bad Port!' } }, 'ui.portName = "Bad Port!" is not a name'],
  [{ driverIngresses: [{ port: 80, portName: 'Bad Port!' }] }, 'driverIngresses[0].portName = "Bad Port!" is not a name'],
  [{ driver: { secrets: [{ name: 's', path: 'rel' }] } }, 'driver.secrets[0].path = "rel" must begin with a slash'],
  [{ driver: { configMaps: [{ name: 's', path: '/a:b' }] } }, "driver.configMaps[0].path = \"/a:b\" must not contain ':'"],
  [
    { volumes: [{ name: 'v', emptyDir: {} }], driver: { volumeMounts: [{ name: 'v', mountPath: 'v' }] } },
    'driver.volumeMounts[0].mountPath = "v" must begin with a slash',
  ],
  [
    { sparkConf: { 'sql.shuffle.partitions': '4' } },
    'sparkConf[sql.shuffle.partitions] has no effect: Spark only takes properties that start with spark.',
  ],
  [
    { sparkConf: { 'spark.executor.extraJavaOptions': '-Xmx4g' } },
    'sparkConf[spark.executor.extraJavaOptions] = "-Xmx4g" must not have -Xmx, which Spark rejects; set executor.memory',
  ],
  [{ driver: { javaOptions: '-Da="b c" "-Xmx4g"' } }, 'driver.javaOptions = "-Xmx4g" must not have -Xmx'],
  [{ executor: { javaOptions: '-XX:OnOutOfMemoryError="echo -Xmx"' } }, 'executor.javaOptions = "-Xmx" must not have -Xmx'],
  [{ executor: { javaOptions: '-Da=-Dspark' } }, 'executor.javaOptions = "-Dspark" must not have properties of Spark'],
  [
    { executor: { instances: 10 }, dynamicAllocation: DynamicAllocation.between(2, 4) },
    'executor.instances = "10" is more than dynamicAllocation.maxExecutors, 4',
  ],
  [
    { monitoring: Monitoring.jmxExporter({ jar: '/jmx.jar', port: 7079 }) },
    'monitoring.jmxExporter.port = "7079" is the port blockmanager of the same container',
  ],
  [
    { monitoring: Monitoring.jmxExporter({ jar: '/jmx.jar', port: 4041 }), sparkConf: { 'spark.ui.port': '4041' } },
    'monitoring.jmxExporter.port = "4041" is the port spark-ui of the same container',
  ],
  [
    { driver: { secretEnv: { A: { name: 's', key: 'bad key!' } } } },
    'driver.env[A].valueFrom.secretKeyRef.key is not the key of a Secret',
  ],
  [
    { localDirs: [LocalDir.emptyDir({ path: '/d' }), LocalDir.emptyDir({ path: '/d' })] },
    'executor.volumeMounts[1] is mounted at /d, where Spark also mounts the volume spark-local-dir-1',
  ],
  [
    { driver: { memory: Size.gibibytes(4), memoryLimit: Size.gibibytes(4) } },
    'driver.memoryLimit = "4g" is less than the 5734Mi that memory and overhead need; write at least 5734Mi, or lower driver.memory',
  ],
])('%j is rejected', (props, message) => {
  expect(() => specOf(props)).toThrow(`\n  [test/pi] ${message}`);
});

test.each<[isFine: boolean, sparkConf: { [key: string]: string }]>([
  [true, { 'spark.shuffle.service.enabled': 'true' }],
  [false, { 'spark.shuffle.service.enabled': 'false' }],
  [true, { 'spark.decommission.enabled': 'true', 'spark.storage.decommission.shuffleBlocks.enabled': 'true' }],
  [false, { 'spark.storage.decommission.shuffleBlocks.enabled': 'true' }],
  [false, { 'spark.decommission.enabled': 'true', 'spark.storage.decommission.shuffleBlocks.enabled': 'false' }],
  [true, { 'spark.shuffle.sort.io.plugin.class': 'org.example.RemoteShuffle' }],
  [false, { 'spark.shuffle.sort.io.plugin.class': 'org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO' }],
])('without shuffle tracking, Spark starts (%s) with %j', (isFine, sparkConf) => {
  const found = problemsOf(application({ sparkConf, dynamicAllocation: DynamicAllocation.upTo(3, { shuffleTracking: false }) }));
  expect(found).toEqual(isFine ? [] : [
    expect.stringContaining('dynamicAllocation.shuffleTracking = "false" is false, and nothing else keeps shuffle data'),
  ]);
});

test.each([
  '-XX:OnOutOfMemoryError="echo -Xmx"', "-Da='b -Xmx1g'", '-Da=b\\ -Xmx1g', '-Dspark.a=b', '-Da=-Xmx',
])('a driver may have the options %s', (javaOptions) => {
  expect(problemsOf(application({ driver: { javaOptions } }))).toEqual([]);
});

test('the message contains only the invalid option of a JVM', () => {
  const options = '-Dspark.ssl.keyPassword=hunter1 -Djavax.net.ssl.keyStorePassword=hunter2';
  for (const [wrong, message] of [['-Xmx2g', '"-Xmx2g" must not have -Xmx'], ['', '"-Dspark.ssl.keyPassword" must not have properties']]) {
    const refused = () => specOf({ executor: { javaOptions: `${options} ${wrong}` } });
    expect(refused).toThrow(`executor.javaOptions = ${message}`);
    expect(refused).not.toThrow('hunter');
  }
});

test('an image that a method sets by property takes precedence over the default', () => {
  const all = application();
  all.addSparkConf('spark.kubernetes.container.image', 'mine');
  expect(synthesized(all)[0].spec).not.toHaveProperty('image');
  const one = application();
  one.addSparkConf('spark.kubernetes.driver.container.image', 'mine');
  const { driver, executor } = synthesized(one)[0].spec;
  expect([driver.image, executor.image]).toEqual([undefined, 'apache/spark:4.1.1']);
});

test('the image of a pod takes precedence over properties', () => {
  const sparkConf = { 'spark.kubernetes.driver.container.image': 'other' };
  expect(specOf({ sparkConf, executor: { image: 'mine' } }).executor.image).toBe('mine');
});

test('the property sets the name of the driver, unless a prop does', () => {
  const sparkConf = { 'spark.kubernetes.driver.pod.name': 'mine' };
  expect(application({ sparkConf }).driverPodName).toBe('mine');
  expect(application({ sparkConf, driver: { podName: 'props' } }).driverPodName).toBe('props');
});

test('the old name of the service account in a template is respected', () => {
  expect(specOf({ driver: { template: { spec: { serviceAccount: 'old' } } } }).driver).not.toHaveProperty('serviceAccount');
});

test('an overhead of 0 is valid', () => {
  expect(specOf({
    driver: { memoryOverhead: Size.mebibytes(0), memory: Size.gibibytes(1), memoryLimit: Size.gibibytes(1) },
  }).driver.memoryOverhead).toBe('0m');
});

test('the keys of a repeated volume can have any order', () => {
  const app = application();
  app.addVolume({ name: 'd', persistentVolumeClaim: { claimName: 'c', readOnly: true } }, '/a');
  app.addVolume({ persistentVolumeClaim: { readOnly: true, claimName: 'c' }, name: 'd' }, '/b');
  expect(synthesized(app)[0].spec.volumes).toHaveLength(1);
});

test('a deadline beyond the maximum is reported', () => {
  expect(() => specOf({
    activeDeadline: Duration.seconds(9_000_000_001),
  })).toThrow('activeDeadline = "9000000001 s" must be at most 9000000000 s');
});

test('a patch that removes the specification is rejected', () => {
  const { resource } = application();
  resource.addJsonPatch(JsonPatch.remove('/spec'));
  expect(problemsOf(resource)).toEqual(['[test/pi] spec is required']);
});

test('a name that a patch has changed is checked', () => {
  const { resource } = application();
  resource.addJsonPatch(JsonPatch.replace('/metadata/name', 'Bad_Name'));
  expect(() => synthesized(resource)).toThrow('[test/pi] metadata.name = "Bad_Name" must be made of lower-case letters');
});
