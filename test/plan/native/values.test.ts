import { build, refusal } from './driver';
import type { Changes, Conf } from './driver';

const IMAGE = 'spark.kubernetes.driver.container.image';

describe('references to other properties', () => {
  test.each<[string, Conf, string]>([
    ['one', { 'spark.v': '4' }, 'spark:4'],
    ['one that has another', { 'spark.v': '${spark.major}.1', 'spark.major': '4' }, 'spark:4.1'],
    ['one with characters that mean something when replacing', { 'spark.v': '$&$1' }, 'spark:$&$1'],
  ])('%s', (_, conf, image) => {
    expect(build({ ...conf, [IMAGE]: 'spark:${spark.v}' }).container.image).toBe(image);
  });

  test.each(['${v}', '${other:spark.v}', '${', '${}', '$spark.v', '${a b}'])('%j is not a reference', text => {
    expect(build({ [IMAGE]: `spark:${text}`, 'spark.v': '4' }).container.image).toBe(`spark:${text}`);
  });

  test.each<[string, Conf, string]>([
    ['environment variables', { [IMAGE]: '${env:HOME}' }, 'refers to ${env:HOME}, which only the machine that runs spark-submit knows'],
    ['system properties', {
      [IMAGE]: '${system:user.name}',
    }, 'refers to ${system:user.name}, which only the machine that runs spark-submit knows'],
    ['what is not set, as Spark may have a default', {
      [IMAGE]: '${spark.driver.memory}',
    }, 'refers to spark.driver.memory, which is not set'],
    ['itself', { [IMAGE]: '${spark.a}', 'spark.a': '${spark.b}', 'spark.b': '${spark.a}' }, 'refers to itself through ${spark.a}'],
  ])('rejected: %s', (_, conf, reason) => {
    expect(refusal(conf)).toMatchObject({ field: IMAGE, reason });
  });

  test('are also resolved in numbers', () => {
    const { container } = build({
      'spark.ui.port': '${spark.p}', 'spark.p': ' 4141 ', 'spark.driver.memoryOverhead': '${spark.o}', 'spark.o': '1g',
    });

    expect(container.ports!.find(({ name }) => name === 'spark-ui')!.containerPort).toBe(4141);
    expect(container.resources!.limits!.memory).toBe('2048Mi');
  });

  test('are only resolved where Spark does; the driver gets all properties unchanged', () => {
    const { pod, container, properties } = build({
      'spark.v': '4', 'spark.kubernetes.driver.label.l': '${spark.v}', 'spark.kubernetes.driverEnv.E': '${spark.v}',
      [IMAGE]: '${spark.v}',
    });

    expect(pod.metadata.labels!.l).toBe('${spark.v}');
    expect(container.env).toContainEqual({ name: 'E', value: '${spark.v}' });
    expect(properties[IMAGE]).toBe('${spark.v}');
    expect(refusal({ 'spark.driver.port': '${spark.v}', 'spark.v': '7' }).field).toBe('spark.driver.port');
  });
});

test.each<[string, Conf, Changes, string]>([
  ['a size', { 'spark.driver.memory': ' 2G ' }, {}, '2432Mi'],
  ['a size as Kubernetes writes it, from 4.2', { 'spark.driver.memory': '2Gi' }, { version: '4.2.1' }, '2432Mi'],
  ['a negative overhead', { 'spark.driver.memoryOverhead': '-24m' }, {}, '1000Mi'],
  ['a former name', { 'spark.yarn.driver.memoryOverhead': '1g' }, {}, '2048Mi'],
  ['a factor', { 'spark.driver.memoryOverheadFactor': '1.5d' }, {}, '2560Mi'],
])('memory: %s', (_, conf, changes, memory) => {
  expect(build(conf, changes).container.resources!.limits!.memory).toBe(memory);
});

test.each<[string, Conf, Changes?]>([
  ['spark.driver.memory', { 'spark.driver.memory': '2Gi' }],
  ['spark.driver.memory', { 'spark.driver.memory': '${spark.m}', 'spark.m': '1g' }],
  ['spark.driver.memory', { 'spark.driver.memory': '0g' }],
  ['spark.driver.memory', { 'spark.driver.memory': '100k' }],
  ['spark.executor.memory', { 'spark.executor.memory': '1.5g' }],
  ['spark.driver.minMemoryOverhead', { 'spark.driver.minMemoryOverhead': 'x', 'spark.driver.memoryOverhead': '1g' }],
  ['spark.driver.memoryOverheadFactor', { 'spark.driver.memoryOverheadFactor': '0' }],
  ['spark.driver.cores', { 'spark.driver.cores': ' 2' }],
  ['spark.executor.cores', { 'spark.executor.cores': '0.5' }],
  ['spark.cores.max', { 'spark.cores.max': '0' }],
  ['spark.executor.instances', { 'spark.executor.instances': '0' }],
  ['spark.driver.port', { 'spark.driver.port': '7078 ' }],
  ['spark.blockManager.port', { 'spark.blockManager.port': '65536', 'spark.driver.blockManager.port': '7079' }],
  ['spark.kubernetes.driver.limit.cores', { 'spark.kubernetes.driver.limit.cores': '2 cores' }],
  ['spark.kubernetes.driver.request.cores', { 'spark.kubernetes.driver.request.cores': '-1' }],
  ['spark.kubernetes.driver.pod.name', { 'spark.kubernetes.driver.pod.name': '' }],
  ['spark.kubernetes.local.dirs.tmpfs', { 'spark.kubernetes.local.dirs.tmpfs': 'yes' }],
  ['spark.kubernetes.legacy.useReadWriteOnceAccessMode', { 'spark.kubernetes.legacy.useReadWriteOnceAccessMode': 'yes' }],
  ['spark.kubernetes.submission.requestTimeout', { 'spark.kubernetes.submission.requestTimeout': '10s' }],
  ['spark.kubernetes.configMap.maxSize', { 'spark.kubernetes.configMap.maxSize': '2000000' }],
  ['spark.master.rest.enabled', { 'spark.master.rest.enabled': 'maybe' }],
  ['spark.remote', { 'spark.remote': 'sc://elsewhere' }],
  ['spark.driver.bindAddress', { 'spark.driver.bindAddress': '' }],
  ['spark.kubernetes.pyspark.pythonVersion', {
    'spark.kubernetes.pyspark.pythonVersion': '2',
  }, { version: '4.0.2', application: { type: 'python', resource: 'local:///a.py' } }],
])('rejected: %s in %j', (field, conf, changes = {}) => {
  expect(refusal(conf, changes).field).toBe(field);
});

test.each<[Conf, Changes?]>([
  [{}, { application: { mainClass: 'org.apache.spark.sql.connect.service.SparkConnectServer' } }],
  [{ 'spark.executor.instances': '0', 'spark.dynamicAllocation.enabled': 'TRUE' }],
  [{ 'spark.kubernetes.local.dirs.tmpfs': ' True ' }],
  [{ 'spark.kubernetes.pyspark.pythonVersion': '2' }, { version: '4.1.1', application: { type: 'python', resource: 'local:///a.py' } }],
])('accepted: %j', (conf, changes = {}) => {
  expect(() => build(conf, changes)).not.toThrow();
});

test.each([
  ['k8s://host:6443', 'k8s://https://host:6443'], ['k8s://http://host', 'k8s://http://host'],
])('the master %s is written as %s', (master, written) => {
  expect(build({ 'spark.master': master }).properties['spark.master']).toBe(written);
});

test('lists of URIs have no spaces and empty parts', () => {
  const { properties } = build({
    'spark.jars': ' local:///a.jar ,,https://r/b.jar', 'spark.files': ',', 'spark.archives': 'https://r/a.zip#x ,',
    'spark.submit.pyFiles': ' local:///a.py',
  });

  expect(properties).toMatchObject({
    'spark.jars': 'local:///a.jar,https://r/b.jar,local:///app.jar', 'spark.files': '', 'spark.archives': 'https://r/a.zip#x',
    'spark.submit.pyFiles': 'local:///a.py',
  });
});

test.each([
  [{}, 'org.example.Main'],
  [{ type: 'python', mainClass: undefined, resource: 's3a://b/dir/etl.py' }, 'etl.py'],
] as const)('an application without a name is called after its class, else its file: %j', (application, name) => {
  expect(build({}, { application, unnamed: true }).properties['spark.app.name']).toBe(name);
});
