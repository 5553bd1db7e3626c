import { join } from 'node:path';
import { Testing } from 'cdk8s';
import { ApiSparkApplication, DeployMode, ImagePullPolicy, SparkApplication, SparkApplicationProps, SparkApplicationType } from '../../src';
import { CompiledPackage } from '../../tools/generate/assembly';

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

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was not refused');
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
  const wrong = { type: 'Pyton', sparkVersion: '4.1.1', mainApplicationFile: '', driver: { memory: '4Gi', cores: 0 }, executor: { instances: 1.5, heap: '1g' } } as any;
  const message = messageOf(() => new ApiSparkApplication(Testing.chart(), 'pi', { metadata: { name: 'Pi' }, spec: wrong }));
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

test('each field of the specification is a prop of the same type', () => {
  const pkg = new CompiledPackage(join(__dirname, '../..'));
  const typesOf = (struct: string) => Object.fromEntries(pkg.properties(pkg.typeNamed(struct)).map(({ name, type }) => [name, type]));
  const { metadata: _, ...props } = typesOf('SparkApplicationProps');

  expect(props).toEqual(typesOf('SparkApplicationSpec'));
});

test('what older manifests say is taken: client mode, words that are empty', () => {
  expect(synthesized({ mode: DeployMode.CLIENT, imagePullPolicy: '' as ImagePullPolicy, mainClass: '' }).spec).toMatchObject({ mode: 'client', imagePullPolicy: '', mainClass: '' });
});

test('defaults do not win over properties and templates', () => {
  const { spec } = synthesized({
    sparkConf: { 'spark.kubernetes.container.image': 'registry.example.org/spark:2' },
    driver: { template: { spec: { serviceAccountName: 'etl', containers: [] } } },
  });

  expect(spec).not.toHaveProperty('image');
  expect(spec.driver).toEqual({ template: { spec: { serviceAccountName: 'etl', containers: [] } } });
});

test('ports and quantities are written as Kubernetes wants them, in templates too', () => {
  const probe = { httpGet: { port: '8080' } };
  const { spec } = synthesized({
    driver: { coreRequest: 0.5 as any, sidecars: [{ name: 'proxy', livenessProbe: probe, resources: { limits: { cpu: 1 as any, memory: '64Mi' } } }] },
    executor: { template: { spec: { containers: [{ name: 'spark-kubernetes-executor', startupProbe: { tcpSocket: { port: 'ui' } }, readinessProbe: probe, resources: { limits: { cpu: 2 as any } } }] } } },
  });

  expect(spec.driver).toMatchObject({ coreRequest: '0.5', sidecars: [{ livenessProbe: { httpGet: { port: 8080 } }, resources: { limits: { cpu: '1', memory: '64Mi' } } }] });
  expect(spec.executor.template.spec.containers).toEqual([
    { name: 'spark-kubernetes-executor', startupProbe: { tcpSocket: { port: 'ui' } }, readinessProbe: { httpGet: { port: 8080 } }, resources: { limits: { cpu: '2' } } },
  ]);
});

test('a slip of the pen in a template is refused, although the API server would take it', () => {
  const template = { spec: { containers: [], tolerations: [{ efect: 'NoSchedule' }] } } as any;
  expect(() => synthesized({ executor: { template } })).toThrow('spec.executor.template.spec.tolerations[0].efect ("NoSchedule") is not a field; did you mean effect?');
});

test('another namespace in sparkConf is refused, if that of the application is known', () => {
  const sparkConf = { 'spark.kubernetes.namespace': 'team-b' };
  expect(() => synthesized({ metadata: { namespace: 'team-a' }, sparkConf })).toThrow('spec.sparkConf["spark.kubernetes.namespace"] ("team-b") must be the namespace of the application, team-a: remove it');
  expect(synthesized({ metadata: { namespace: 'team-b' }, sparkConf }).spec).toMatchObject({ sparkConf });
  expect(synthesized({ sparkConf }).spec).toMatchObject({ sparkConf });
});

test('values that may be secrets are not in the message', () => {
  const secrets = { 'spark.hadoop.fs.s3a.secret.key': 12345, 'spark.master': 'local[2]', 'spark.ssl.keyPassword': 54321 } as any;
  const env = [{ name: 'DB_PASSWORD', value: 67890 }] as any;
  const message = messageOf(() => synthesized({ sparkConf: secrets, driver: { env, envVars: { PIN: 24680 as any } }, executor: { sidecars: [{ name: 's', env: [{ name: 'A', value: 'abc' }, { name: 'A', value: 'xyz' }] }] } }));

  expect(message).toContain('spec.sparkConf["spark.hadoop.fs.s3a.secret.key"] must be a string, in quotes');
  expect(message).toContain('spec.driver.env[0].value must be a string, in quotes');
  expect(message).toContain('spec.executor.sidecars[0].env[1] has the same name as an entry before');
  expect(message).not.toMatch(/12345|54321|67890|24680|abc|xyz/);
});

test('namespace, labels and annotations are checked as Kubernetes does', () => {
  const metadata = {
    name: '0-etl.daily', namespace: 'Team A', labels: { 'team': 'a b', 'example.org/ok': 'yes', '/x': '1', 'empty': '' }, annotations: { 'example.org/Note': 'any text: 1', 'my note': '' },
  };
  expect(() => synthesized({ metadata })).toThrow([
    'would be refused:',
    '  metadata.namespace ("Team A") must be made of lower-case letters, digits and \'-\', at most 63, and begin and end with a letter or digit',
    '  metadata.labels["team"] ("a b") must have at most 63 letters, digits, \'-\', \'_\' and \'.\', and begin and end with a letter or digit',
    '  metadata.labels["/x"] is not the name of a label, such as team or example.org/team',
    '  metadata.annotations["my note"] is not the name of an annotation, such as team or example.org/team',
  ].join('\n'));
});
