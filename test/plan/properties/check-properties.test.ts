/*
 * Properties that Spark accepts, but whose pods the API server rejects. For executors, this would be
 * invisible.
 */
import { SubmissionError } from '../../../src/plan/errors';
import { prepareSubmission } from '../../../src/plan/prepare';
import { problemText } from '../../../src/model/problem';
import { SecretType, type SparkPodSpec } from '../../../src/api/spark-pod';
import { ROLES } from '../pods/helpers';
import { application, type Changes, CONTEXT, planOf } from '../application';

const prepared = (changes: Changes) => prepareSubmission(application(changes), CONTEXT);

function refusalOf(changes: Changes): SubmissionError {
  try {
    planOf(application(changes));
  } catch (error) {
    if (SubmissionError.is(error)) {
      return error;
    }
    throw error;
  }
  throw new Error('was not refused');
}

test('the error only has the JVM option with which Spark does not start', () => {
  expect(refusalOf({ executor: { javaOptions: '-Djavax.net.ssl.keyStorePassword=hunter2 -Dspark.ssl.keyPassword=hunter1' } }).message).toBe(
    'spec.executor.javaOptions = "-Dspark.ssl.keyPassword" must not have properties of Spark, which Spark rejects; write them in sparkConf',
  );
  expect(refusalOf({
    driver: { javaOptions: '-Xss4m -Xmx4g' },
  }).message).toBe('spec.driver.javaOptions = "-Xmx4g" must not have -Xmx, which Spark rejects; set spec.driver.memory');
  expect(refusalOf({
    spec: { sparkConf: { 'spark.executor.defaultJavaOptions': '-Xmx4g' } },
  }).field).toBe('spec.sparkConf[spark.executor.defaultJavaOptions]');
});

test('zero executors without dynamic allocation are rejected, as spark-submit itself does', () => {
  const conf = (sparkConf: { [key: string]: string }) => () => prepared({ spec: { sparkConf } });
  expect(conf({ 'spark.executor.instances': '0' })).toThrow('spec.sparkConf[spark.executor.instances] = "0" is too few without dynamic allocation');
  expect(conf({ 'spark.executor.instances': '0', 'spark.dynamicAllocation.enabled': 'true' })).not.toThrow();
});

const secret = (name: string) => ({ secrets: [{ name, path: '/mnt/s', secretType: SecretType.GENERIC }] });

describe.each(ROLES)('properties of a %s', (role) => {
  const conf = (key: string, value: string): Partial<Changes> => ({ spec: { sparkConf: { [key.replace('ROLE', role)]: value } } });

  test.each<[what: string, pod: SparkPodSpec, field: string, reason: RegExp]>([
    ['a Secret with a dot', secret('my.secret'), 'secrets[0]', /volume my\.secret-volume/],
    ['a Secret with 57 characters', secret('s'.repeat(57)), 'secrets[0]', /at most 63 characters/],
    ['one path for two Secrets', {
      secrets: ['a', 'b'].map(name => ({ name, path: '/s', secretType: SecretType.GENERIC })),
    }, 'secrets[1]', /^is mounted at \/s, where Spark also mounts the Secret a$/],
    ['a request above the limit', {
      coreRequest: '4', coreLimit: '1',
    }, 'coreLimit', /^is less than what the pod requests, spec\.\w+\.coreRequest = 4$/],
    ['cores above the limit', { cores: 4, coreLimit: '1200m' }, 'coreLimit', /spec\.\w+\.cores = 4$/],
    ['cores above the limit, by default', { coreLimit: '900m' }, 'coreLimit', /spec\.\w+\.cores = 1$/],
    ['a label with blanks', { labels: { team: 'x y' } }, 'labels[team]', /^must have at most 63 letters/],
    ['a label whose name has blanks', { labels: { 'a b': 'x' } }, 'labels[a b]', /^is not the name of a label/],
    ['an annotation whose name has blanks', { annotations: { 'a b': 'x y' } }, 'annotations[a b]', /^is not the name of an annotation/],
    ['a variable with =', { envVars: { 'A=B': 'x' } }, 'envVars[A=B]', /^is not the name of an environment variable/],
    ['a variable without a name', { envVars: { '': 'x' } }, 'envVars[]', /^is not the name of an environment variable/],
    ['a variable with = from a Secret', {
      envSecretKeyRefs: { 'A=B': { name: 's', key: 'k' } },
    }, 'envSecretKeyRefs[A=B]', /^is not the name/],
    ['a key with a colon', {
      envSecretKeyRefs: { A: { name: 's', key: 'a:b' } },
    }, 'envSecretKeyRefs[A]', /^does not name a Secret and one of its keys/],
    ['a key with a blank', {
      envSecretKeyRefs: { A: { name: 's', key: 'a b' } },
    }, 'envSecretKeyRefs[A]', /^does not name a Secret and one of its keys/],
  ])('%s is rejected', (_, pod, field, reason) => {
    const refusal = refusalOf({ [role]: pod });

    expect(refusal.field).toBe(`spec.${role}.${field}`);
    expect(refusal.reason).toMatch(reason);
    expect(refusal.remedy).not.toBe('');
  });

  test.each([
    ['spark.local.dir', '/a,/a'],
    ['spark.kubernetes.ROLE.request.cores', 'one'],
    ['spark.kubernetes.ROLE.limit.cores', '1x'],
    ['spark.kubernetes.ROLE.label.team', 'x y'],
    ['spark.kubernetes.ROLE.volumes.emptyDir.Data.mount.path', '/data'],
    ['spark.kubernetes.ROLE.secretKeyRef.A', 'only-a-secret'],
  ])('%s=%s is refused', (key, value) => {
    expect(refusalOf(conf(key, value)).field).toBe(`spec.sparkConf[${key.replace('ROLE', role)}]`);
  });

  test('the maximum is accepted', () => {
    const pod: SparkPodSpec = {
      ...secret('s'.repeat(56)),
      coreRequest: '1',
      coreLimit: '1000m',
      labels: { 'example.org/app': 'x_{{APP_ID}}-{{EXECUTOR_ID}}z', 'empty': '' },
      annotations: { 'Example.org/a': 'any thing' },
      envVars: { 'a.b-c D': 'x' },
      envSecretKeyRefs: { A: { name: 's', key: 'key.json' } },
    };

    expect(() => prepared({ [role]: pod })).not.toThrow();
  });

  test('a request above a limit that only the driver knows is left to the driver', () => {
    expect(() => prepared(conf('spark.kubernetes.ROLE.limit.cores', '${env:LIMIT}'))).not.toThrow();
  });

  test('before Spark 4.0, IDs in labels were not replaced', () => {
    expect(refusalOf({ spec: { sparkVersion: '3.5.8' }, [role]: { labels: { id: '{{APP_ID}}' } } }).field).toBe(`spec.${role}.labels[id]`);
  });
});

test.each([
  ['spark.executor.memory', 'much'],
  ['spark.executor.memory', '4Gi'],
  ['spark.executor.memoryOverhead', '512x'],
  ['spark.executor.pyspark.memory', 'some'],
  ['spark.executor.memoryOverheadFactor', '0'],
  ['spark.executor.memoryOverheadFactor', '-0.1'],
  ['spark.executor.memoryOverheadFactor', 'x'],
])('%s=%s is refused', (key, value) => {
  expect(refusalOf({ spec: { sparkConf: { [key]: value } } }).field).toBe(`spec.sparkConf[${key}]`);
});

test('sizes are parsed by the application\'s version', () => {
  expect(() => prepared({ spec: { sparkVersion: '4.3.0' }, executor: { memory: '4Gi' } })).not.toThrow();
});

test('labels of the driver\'s Service are also checked', () => {
  expect(refusalOf({ driver: { serviceLabels: { team: 'x y' } } }).field).toBe('spec.driver.serviceLabels[team]');
});

describe('a NetworkPolicy that blocks Prometheus', () => {
  const EXCLUDED = { 'spark.kubernetes.driver.pod.excludedFeatureSteps': 'org.apache.spark.deploy.k8s.features.NetworkPolicyFeatureStep' };
  const metrics = (exposeExecutorMetrics: boolean) => ({
    exposeDriverMetrics: true, exposeExecutorMetrics, prometheus: { jmxExporterJar: '/jmx.jar' },
  });

  test.each([
    ['4.2.0', metrics(true), {}, true],
    ['latest', metrics(true), {}, true],
    ['4.1.1', metrics(true), {}, false],
    ['4.2.0', metrics(false), {}, false],
    ['4.2.0', metrics(true), EXCLUDED, false],
  ])('Spark %s, %j, sparkConf %j: warned: %s', (sparkVersion, monitoring, sparkConf, warned) => {
    const { warnings } = prepared({ spec: { sparkVersion, monitoring, sparkConf } });

    expect(warnings.map(problemText).some(text => /^spec\.monitoring\.exposeExecutorMetrics .*NetworkPolicy.*excludedFeatureSteps/.test(text))).toBe(warned);
  });
});
