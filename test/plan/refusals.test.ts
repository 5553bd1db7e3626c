import { application, planOf } from './application';
import type { Changes } from './application';
import { SparkApplicationType } from '../../src/api/spark-application';
import { SubmissionError } from '../../src/plan/errors';

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

const conf = (key: string, value: string): Changes => ({ spec: { sparkConf: { [key]: value } } });
const python = (file: string): Changes => ({ spec: { type: SparkApplicationType.PYTHON, mainClass: undefined, mainApplicationFile: file } });

test('a refusal is one sentence: where, what, why, what instead', () => {
  expect(refusalOf({ driver: { memory: '1.5g' } }).message).toBe(
    'spec.driver.memory = "1.5g" is not a size as Spark writes it; write a whole number and a unit, such as 512m or 4g (not 4Gi)',
  );
  expect(refusalOf(conf('spark.master', 'k8s://https://elsewhere')).message).toBe(
    'spec.sparkConf[spark.master] = "k8s://https://elsewhere" is not allowed in sparkConf: a driver uses the API server of its own cluster; remove it',
  );
  expect(refusalOf(python('/home/me/app.py')).message).toBe(
    'spec.mainApplicationFile = "/home/me/app.py" is a file of your machine, which the operator cannot read; ' +
    'put it into the image and write local:///path, or upload it and write an https:, s3a:, gs: or hdfs: URI. Or write auto for --submission-mode: spark-submit could submit it',
  );
});

test.each([
  ['spark.kubernetes.authenticate.driver.serviceAccountName', 'admin', /spec\.driver\.serviceAccount/],
  ['spark.kubernetes.authenticate.executor.serviceAccountName', 'admin', /spec\.executor\.serviceAccount/],
  ['spark.kubernetes.authenticate.oauthToken', 's3cr3t', /service account/],
  ['spark.kubernetes.authenticate.oauthTokenFile', '/token', /service account/],
  ['spark.kubernetes.authenticate.driver.oauthToken', 's3cr3t', /service account/],
  ['spark.kubernetes.authenticate.driver.oauthTokenFile', '/token', /service account/],
  ['spark.kubernetes.authenticate.executor.oauthToken', 's3cr3t', /service account/],
  ['spark.kubernetes.authenticate.executor.oauthTokenFile', '/token', /service account/],
  ['spark.master', 'local[1]', /own cluster/],
  ['spark.kubernetes.driver.master', 'local[1]', /own cluster/],
  ['spark.kubernetes.namespace', 'kube-system', /not the namespace of the application, jobs/],
])('known failure 23: sparkConf must not set %s', (key, value, message) => {
  const refusal = refusalOf(conf(key, value));

  expect(refusal.field).toBe(`spec.sparkConf[${key}]`);
  expect(refusal.message).toMatch(message);
});

test('the application\'s own namespace may be written in sparkConf', () => {
  expect(() => planOf(application(conf('spark.kubernetes.namespace', 'jobs')))).not.toThrow();
});

test.each([
  'spark.kerberos.keytab',
  'spark.kubernetes.authenticate.driver.caCertFile',
  'spark.kubernetes.authenticate.driver.clientCertFile',
  'spark.kubernetes.authenticate.driver.clientKeyFile',
  'spark.kubernetes.authenticate.submission.caCertFile',
  'spark.kubernetes.context',
  'spark.kubernetes.driver.pod.featureSteps',
  'spark.kubernetes.driver.podTemplateFile',
  'spark.kubernetes.executor.podTemplateFile',
  'spark.kubernetes.kerberos.krb5.path',
])('%s is refused rather than dropped', key => {
  expect(refusalOf(conf(key, 'x'))).toMatchObject({ field: `spec.sparkConf[${key}]` });
});

test.each([
  'spark.kubernetes.executor.volumes.emptyDir.v.mount.path',
  'spark.kubernetes.executor.secrets.s',
  'spark.executor.resource.gpu.amount',
])('%s reaches the driver, which knows what to do', key => {
  const { configMap } = planOf(application(conf(key, 'x')));

  expect(configMap.data['spark.properties']).toContain(`\n${key}=x\n`);
});

test.each<[string, Changes, string]>([
  ['a main file without scheme', python('app.py'), 'spec.mainApplicationFile'],
  ['a main file on the submitting machine', python('file:///app.py'), 'spec.mainApplicationFile'],
  ['a disk of Windows', python('C:\\app.py'), 'spec.mainApplicationFile'],
  ['a jar without scheme', { spec: { deps: { jars: ['https://r/ok.jar', 'my.jar'] } } }, 'spec.deps.jars'],
  ['a local file among files', { spec: { deps: { files: ['file:/etc/x'] } } }, 'spec.deps.files'],
  ['a local file among pyFiles', { spec: { deps: { pyFiles: ['lib.zip'] } } }, 'spec.deps.pyFiles'],
  ['a local file among archives', { spec: { deps: { archives: ['lib.zip#lib'] } } }, 'spec.deps.archives'],
  ['a local file in sparkConf', conf('spark.jars', '/opt/a.jar'), 'spec.sparkConf[spark.jars]'],
  ['a pattern in object storage', { spec: { deps: { jars: ['s3a://bucket/*.jar'] } } }, 'spec.deps.jars'],
  ['a jar without main class', { spec: { mainClass: undefined } }, 'spec.mainClass'],
  ['no image at all', { spec: { image: undefined } }, 'spec.image'],
  ['an image for the driver alone', { spec: { image: undefined }, driver: { image: 'd:1' } }, 'spec.image'],
  ['an image for the executors alone', { spec: { image: undefined }, executor: { image: 'e:1' } }, 'spec.image'],
  ['a name that no label can hold', { name: 'a'.repeat(64) }, 'metadata.name'],
  ['a pod name that Kubernetes refuses', conf('spark.kubernetes.driver.pod.name', 'My_Pod'), 'spec.sparkConf[spark.kubernetes.driver.pod.name]'],
  ['a label of Spark\'s', { driver: { labels: { 'spark-role': 'executor' } } }, 'spec.driver.labels[spark-role]'],
  ['a label of Spark\'s on the application', { labels: { 'spark-app-selector': 'x' } }, 'metadata.labels[spark-app-selector]'],
  ['a bind address', conf('spark.driver.bindAddress', '0.0.0.0'), 'spec.sparkConf[spark.driver.bindAddress]'],
  ['a port that is none', conf('spark.ui.port', '0'), 'spec.sparkConf[spark.ui.port]'],
  ['a port that is a word', conf('spark.driver.port', 'rpc'), 'spec.sparkConf[spark.driver.port]'],
  ['a part of a core', conf('spark.driver.cores', '0.5'), 'spec.sparkConf[spark.driver.cores]'],
  ['a driver without memory', { driver: { memory: '100k' } }, 'spec.driver.memory'],
  ['a factor that is none', { spec: { memoryOverheadFactor: 'NaN' } }, 'spec.memoryOverheadFactor'],
  ['a NUL in an argument', { spec: { arguments: ['a', 'b\0'] } }, 'spec.arguments[1]'],
  ['an argument that no command line holds', { spec: { arguments: ['é'.repeat(64 * 1024)] } }, 'spec.arguments[0]'],
  ['an unknown pull policy', conf('spark.kubernetes.container.image.pullPolicy', 'always'), 'spec.sparkConf[spark.kubernetes.container.image.pullPolicy]'],
  ['an unknown IP family', conf('spark.kubernetes.driver.service.ipFamilies', 'IPv5'), 'spec.sparkConf[spark.kubernetes.driver.service.ipFamilies]'],
  ['a variable of the submitter', conf('spark.driver.memoryOverhead', '${env:MEMORY}'), 'spec.sparkConf[spark.driver.memoryOverhead]'],
  ['more properties than a ConfigMap holds', conf('spark.huge', 'x'.repeat(1_048_576)), 'spec.sparkConf'],
])('%s is refused', (_, changes, field) => {
  const refusal = refusalOf(changes);

  expect(refusal.field).toBe(field);
  expect(refusal.remedy).not.toBe('');
});

test('patterns elsewhere are names like others, as in Spark', () => {
  const changes: Changes = { spec: { deps: { jars: ['local:///opt/a/*.jar'], files: ['https://r/f?x=1', 'https://[2001:db8::1]:8443/f'] } } };

  expect(() => planOf(application(changes))).not.toThrow();
});

describe('a refusal never shows secrets', () => {
  test.each([
    'spec.driver.envVars[DB_PASSWD]', 'spec.driver.envVars[GREETING]', 'spec.sparkConf[spark.my.api-key]', 'spec.sparkConf[spark.executorEnv.A]', 'spec.hadoopConf[fs.any]',
  ])('not in %s', field => {
    const error = new SubmissionError({ field, value: 's3cr3t', reason: 'is wrong', remedy: 'correct it' });

    expect(error.value).toBeUndefined();
    expect(error.message).toBe(`${field} is wrong; correct it`);
  });

  test.each<[string, Changes]>([
    ['a token', conf('spark.kubernetes.authenticate.driver.oauthToken', 's3cr3t')],
    ['a key of a Secret', conf('spark.kubernetes.driver.secretKeyRef.A', 's3cr3t')],
    ['a password in a URI', { spec: { deps: { jars: ['s3a://me:s3cr3t@host/*.jar'] } } }],
    ['a signature in a URI', { spec: { deps: { jars: ['abfs://c@a/x*.jar?sig=s3cr3t'] } } }],
  ])('%s', (_, changes) => {
    const refusal = refusalOf(changes);

    expect(JSON.stringify({ ...refusal, message: refusal.message })).not.toContain('s3cr3t');
  });
});

test('a long value is cut in the message', () => {
  expect(refusalOf(python('x'.repeat(5000))).message.length).toBeLessThan(600);
});
