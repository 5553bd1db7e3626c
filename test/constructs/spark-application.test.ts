import { Testing } from 'cdk8s';
import { ApiSparkApplication, SparkApplication, SparkApplicationProps, SparkApplicationType } from '../../src';

const PYTHON: SparkApplicationProps = {
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  mainApplicationFile: 'local:///opt/spark/examples/src/main/python/pi.py',
};

function synthesized(props: Partial<SparkApplicationProps> = {}) {
  const chart = Testing.chart();
  new SparkApplication(chart, 'pi', { ...PYTHON, ...props });
  return Testing.synth(chart)[0];
}

test('defaults: the image of the Spark version, cluster mode, the service account that SparkOperator creates', () => {
  expect(synthesized({ metadata: { name: 'pi' } })).toEqual({
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name: 'pi' },
    spec: {
      type: 'Python',
      mode: 'cluster',
      sparkVersion: '4.1.1',
      image: 'apache/spark:4.1.1',
      mainApplicationFile: 'local:///opt/spark/examples/src/main/python/pi.py',
      driver: { serviceAccount: 'spark' },
      executor: {},
    },
  });
});

test('what is given is kept', () => {
  const { spec } = synthesized({
    type: SparkApplicationType.SCALA,
    mainClass: 'org.example.Job',
    image: 'registry.example.org/job:1',
    arguments: ['--day', '2026-03-01'],
    sparkConf: { 'spark.sql.shuffle.partitions': '400' },
    driver: { serviceAccount: 'etl', memory: '2g' },
    executor: { instances: 4, coreRequest: '500m' },
  });
  expect(spec).toMatchObject({
    type: 'Scala',
    mainClass: 'org.example.Job',
    image: 'registry.example.org/job:1',
    arguments: ['--day', '2026-03-01'],
    sparkConf: { 'spark.sql.shuffle.partitions': '400' },
    driver: { serviceAccount: 'etl', memory: '2g' },
    executor: { instances: 4, coreRequest: '500m' },
  });
});

test('a JVM application without a main class is refused', () => {
  expect(() => synthesized({ type: SparkApplicationType.JAVA })).toThrow('mainClass is missing; a Java application needs the name of the class with its main method');
});

test('everything that is wrong is named at once: field, value, reason', () => {
  const wrong = { type: 'Pyton', sparkVersion: 'four', mainApplicationFile: '', driver: { memory: '4Gi', cores: 0 }, executor: { instances: 1.5, heap: '1g' } } as any;
  let message = '';
  try {
    new ApiSparkApplication(Testing.chart(), 'pi', { metadata: { name: 'Pi' }, spec: wrong });
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message.split('\n')).toEqual([
    'SparkApplication at test/pi would be refused:',
    "  metadata.name (\"Pi\") must be made of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit",
    '  spec.type ("Pyton") must be one of Java, Scala, Python, R',
    '  spec.mainApplicationFile ("") must not be empty',
    '  spec.driver.memory ("4Gi") must be a size as Spark writes it, such as 512m or 4g (not 4Gi)',
    '  spec.driver.cores (0) must be at least 1',
    '  spec.executor.instances (1.5) must be a whole number',
    '  spec.executor.heap ("1g") is not a field; see the reference of the fields',
  ]);
});

test('what is missing is named', () => {
  expect(() => new ApiSparkApplication(Testing.chart(), 'pi', { spec: { driver: {}, executor: {} } as any }))
    .toThrow(/spec\.mainApplicationFile is required\n.*spec\.sparkVersion is required\n.*spec\.type is required/);
});

test('a name that does not fit into a label is refused', () => {
  expect(() => synthesized({ metadata: { name: 'a'.repeat(64) } })).toThrow('metadata.name ("' + 'a'.repeat(64) + '") must have at most 63 characters, as it becomes a label of the pods; it has 64');
});

test('the bounds of dynamic allocation are compared', () => {
  expect(() => synthesized({ dynamicAllocation: { enabled: true, minExecutors: 5, maxExecutors: 2 } }))
    .toThrow('spec.dynamicAllocation ({"enabled":true,"minExecutors":5,"maxExecutors":2}) minExecutors must not be greater than maxExecutors');
});

test('namespace and labels are checked as Kubernetes does', () => {
  const metadata = { name: '0-etl.daily', namespace: 'Team A', labels: { 'team': 'a b', 'example.org/ok': 'yes', '/x': '1', 'empty': '' } };
  expect(() => synthesized({ metadata })).toThrow([
    'would be refused:',
    '  metadata.namespace ("Team A") must be made of lower-case letters, digits and \'-\', at most 63, and begin and end with a letter or digit',
    '  metadata.labels["team"] ("a b") must have at most 63 letters, digits, \'-\', \'_\' and \'.\', and begin and end with a letter or digit',
    '  metadata.labels["/x"] is not the name of a label, such as team or example.org/team',
  ].join('\n'));
});
