import { JsonPatch, Testing } from 'cdk8s';
import { problemsOf, synthesized } from './synthesis';
import { ApiSparkApplication, DeployMode, ImagePullPolicy, SparkApplicationSpec, SparkApplicationType } from '../../src';

const SPEC: SparkApplicationSpec = {
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  mainApplicationFile: 'local:///opt/spark/examples/src/main/python/pi.py',
  driver: {},
  executor: {},
};

function created(spec: object = {}, metadata: object = { name: 'pi' }) {
  return new ApiSparkApplication(Testing.chart(), 'pi', { metadata, spec: { ...SPEC, ...spec } });
}

test('the specification is written unchanged', () => {
  const spec = { ...SPEC, driver: { memory: '2g', envVars: { A: '1' } }, restartPolicy: { onFailureRetries: 2 }, failureRetries: 3 };
  expect(synthesized(created(spec))[0]).toMatchObject({
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name: 'pi' }, spec,
  });
});

test('all problems are reported at once: field, value, reason', () => {
  const wrong = {
    type: 'Pyton', sparkVersion: '4.1.1', mainApplicationFile: '', driver: { memory: '1.5g', cores: 0 },
    executor: { instances: 1.5, heap: '1g' },
  };
  expect(problemsOf(created(wrong, { name: 'Pi' }))).toEqual([
    "[test/pi] metadata.name = \"Pi\" must be made of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit",
    '[test/pi] spec.driver.cores = 0 must be at least 1',
    '[test/pi] spec.driver.memory = "1.5g" must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi',
    '[test/pi] spec.executor.heap = "1g" is not a field; see the reference of the fields',
    '[test/pi] spec.executor.instances = 1.5 must be a whole number',
    '[test/pi] spec.mainApplicationFile = "" must not be empty',
    '[test/pi] spec.type = "Pyton" must be one of Java, Scala, Python, R',
  ]);
});

test('missing fields are reported', () => {
  expect(problemsOf(new ApiSparkApplication(Testing.chart(), 'pi', { spec: { driver: {}, executor: {} } as any }))).toEqual(
    ['mainApplicationFile', 'sparkVersion', 'type'].map((field) => `[test/pi] spec.${field} is required`),
  );
});

test('problems that the operator would report in every cluster are rejected', () => {
  expect(() => synthesized(created({
    driver: { coreRequest: '2', coreLimit: '1' },
  }))).toThrow('spec.driver.coreLimit = "1" is less than what the pod requests, spec.driver.coreRequest = 2; raise it, or lower spec.driver.coreRequest');
});

test('a name that is too long for a label is rejected', () => {
  const name = 'a'.repeat(64);
  expect(() => synthesized(created({}, { name }))).toThrow(
    `metadata.name = "${name}" must have at most 63 characters, as it becomes a label of the pods; it has 64`,
  );
});

test('the bounds of dynamic allocation are compared', () => {
  expect(() => synthesized(created({ dynamicAllocation: { enabled: true, minExecutors: 5, maxExecutors: 2 } })))
    .toThrow(
      'spec.dynamicAllocation = {"enabled":true,"maxExecutors":2,"minExecutors":5} minExecutors must not be greater than maxExecutors',
    );
});

test('values of older manifests are valid: client mode, empty texts, null', () => {
  const [{ spec }] = synthesized(created({
    mode: DeployMode.CLIENT, imagePullPolicy: '' as ImagePullPolicy, mainClass: '', driver: { labels: { team: null }, env: null },
  }));
  expect(spec).toMatchObject({ mode: 'client', imagePullPolicy: '', mainClass: '' });
});

test('a typo in a template is rejected, although the API server would accept it', () => {
  const template = { spec: { containers: [], tolerations: [{ efect: 'NoSchedule' }] } };
  expect(() => synthesized(created({ executor: { template } }))).toThrow(
    'spec.executor.template.spec.tolerations[0].efect = "NoSchedule" is not a field; did you mean effect?',
  );
});

test('patches are checked at synth', () => {
  const resource = created();
  resource.addJsonPatch(JsonPatch.replace('/spec/type', 'Pyton'));
  expect(problemsOf(resource)).toEqual(['[test/pi] spec.type = "Pyton" must be one of Java, Scala, Python, R']);
});

test('the message omits values that might be secrets', () => {
  const secrets = { 'spark.hadoop.fs.s3a.secret.key': 12345, 'spark.master': 'local[2]', 'spark.ssl.keyPassword': 54321 };
  const env = [{ name: 'DB_PASSWORD', value: 67890 }];
  const sidecars = [{ name: 's', env: [{ name: 'A', value: 'abc' }, { name: 'A', value: 'xyz' }] }];
  const message = problemsOf(created({ sparkConf: secrets, driver: { env, envVars: { PIN: 24680 } }, executor: { sidecars } })).join('\n');

  expect(message).toContain('spec.sparkConf[spark.hadoop.fs.s3a.secret.key] must be a string, in quotes');
  expect(message).toContain('spec.driver.env[0].value must be a string, in quotes');
  expect(message).toContain('spec.executor.sidecars[0].env[1] has the same name as an entry before');
  expect(message).not.toMatch(/12345|54321|67890|24680|abc|xyz/);
});

test('namespace, labels and annotations are checked as in Kubernetes', () => {
  const metadata = {
    name: '0-etl.daily', namespace: 'Team A', labels: { 'team': 'a b', 'example.org/ok': 'yes', '/x': '1', 'empty': '' },
    annotations: { 'example.org/Note': 'any text: 1', 'my note': '' },
  };
  expect(problemsOf(created({}, metadata))).toEqual([
    '[test/pi] metadata.namespace = "Team A" must be made of lower-case letters, digits and \'-\', at most 63, and begin and end with a letter or digit',
    '[test/pi] metadata.labels[/x] is not the name of a label, such as team or example.org/team',
    '[test/pi] metadata.labels[team] = "a b" must have at most 63 letters, digits, \'-\', \'_\' and \'.\', and begin and end with a letter or digit',
    '[test/pi] metadata.annotations[my note] is not the name of an annotation, such as team or example.org/team',
  ]);
});
