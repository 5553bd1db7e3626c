import { parse } from 'yaml';
import { patchManifest } from '../../../tools/kubeflow/manifest.ts';

const SPARK = { image: 'spark.test/spark:9.9.9', version: '9.9.9' };
const SCALA = { image: 'docker.io/apache/spark:4.0.4', sparkVersion: '4.0.4', mainClass: 'org.apache.spark.examples.SparkPi', mainApplicationFile: 'local:///opt/spark/examples/jars/spark-examples.jar' };
const LOCAL = { image: SPARK.image, sparkVersion: '9.9.9', mainClass: 'JavaPi', mainApplicationFile: 'local:///opt/spark/applications/java-pi.jar' };

const patch = (manifest: object, spark: Parameters<typeof patchManifest>[2] = SPARK) => parse(patchManifest('examples/pi.yaml', JSON.stringify(manifest), spark));

test('images, programs and versions become local, and all else stays', () => {
  const rest = { arguments: ['50'], driver: { memory: '512m', labels: { version: '4.0.0' } } };
  expect(patch({ kind: 'SparkApplication', spec: { ...SCALA, ...rest } })).toEqual({ kind: 'SparkApplication', spec: { ...LOCAL, ...rest } });
  expect(patch({ kind: 'ScheduledSparkApplication', spec: { schedule: '@daily', template: SCALA } })).toEqual({
    kind: 'ScheduledSparkApplication', spec: { schedule: '@daily', template: LOCAL },
  });
  const server = (image: string, imagePullPolicy: string) => ({ kind: 'SparkConnect', spec: { server: { template: { spec: { containers: [{ name: 'server', image, imagePullPolicy }] } } } } });
  expect(patch(server('apache/spark:4.0.4', 'Always'))).toEqual(server(SPARK.image, 'IfNotPresent'));
});

test('a program that no image has stays', () => {
  expect(patch({ spec: { image: 'apache/spark:4.0.4', mainClass: 'none', mainApplicationFile: 'local:///none.jar' } }).spec).toEqual({
    image: SPARK.image, mainClass: 'none', mainApplicationFile: 'local:///none.jar',
  });
});

test.each([
  ['image', { image: 'example.org/tool:1' }, 'examples/pi.yaml names the image example.org/tool:1, for which there is no local one'],
  ['program', { mainApplicationFile: 'local:///opt/spark/examples/a.py' }, 'names the program local:///opt/spark/examples/a.py,'],
  ['class', { ...SCALA, mainClass: 'Other' }, 'spark-examples.jar with mainClass Other'],
])('an unknown %s is an error', (_, spec, message) => {
  expect(() => patch({ spec })).toThrow(message);
});

test('text that is not YAML is an error', () => {
  expect(() => patchManifest('examples/pi.yaml', 'image: {A}/{B}', SPARK)).toThrow('examples/pi.yaml cannot be read');
});

test('on a small machine, only missing CPU requests are set', () => {
  const small = { ...SPARK, cpuRequest: '100m' };
  const roles = { driver: { cores: 1 }, executor: { coreRequest: '1200m' } };
  const expected = { driver: { cores: 1, coreRequest: '100m' }, executor: { coreRequest: '1200m' } };
  expect(patch({ kind: 'SparkApplication', spec: roles }, small).spec).toEqual(expected);
  expect(patch({ kind: 'ScheduledSparkApplication', spec: { template: roles } }, small).spec.template).toEqual(expected);
  const property = 'spark.kubernetes.executor.request.cores';
  expect(patch({ kind: 'SparkConnect', spec: { executor: {} } }, small).spec).toEqual({ executor: {}, sparkConf: { [property]: '100m' } });
  expect(patch({ kind: 'SparkConnect', spec: { sparkConf: { [property]: '2' } } }, small).spec.sparkConf).toEqual({ [property]: '2' });
});
