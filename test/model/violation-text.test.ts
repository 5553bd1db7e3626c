import { violationText } from '../../src/model/violation-text';

const text = (path: string, value: unknown) => violationText({ path, value, reason: 'is wrong' });

test.each<[path: string, value: unknown, sentence: string]>([
  ['spec.driver.cores', 0, 'spec.driver.cores (0) is wrong'],
  ['spec.type', undefined, 'spec.type is wrong'],
  ['spec.dynamicAllocation', { enabled: true, maxExecutors: 0 }, 'spec.dynamicAllocation ({"enabled":true,"maxExecutors":0}) is wrong'],
  ['spec.driver.secrets[0].path', 'a', 'spec.driver.secrets[0].path ("a") is wrong'],
  ['spec.sparkConf["spark.sql.passThrough"]', 1234, 'spec.sparkConf["spark.sql.passThrough"] (1234) is wrong'],
  ['spec.arguments', 'a'.repeat(100), `spec.arguments ("${'a'.repeat(76)}...) is wrong`],
])('%s with its value', (path, value, sentence) => {
  expect(text(path, value)).toBe(sentence);
});

test.each<[path: string, value: unknown]>([
  ['spec.sparkConf', { 'spark.hadoop.fs.s3a.secret.key': 'hush' }],
  ['spec.sparkConf["spark.hadoop.fs.s3a.secret.key"]', 1234],
  ['spec.hadoopConf["fs.s3a.access.key"]', 1234],
  ['spec.driver.env[0].value', 1234],
  ['spec.driver.envVars["PIN"]', 1234],
  ['spec.driver.template.spec.containers[0].env[0].value', 1234],
  ['spec.executor.env[1]', { name: 'A', value: 'hush' }],
  ['spec.sparkConf["spark.db.passwd"]', 1234],
  ['spec.sparkConf["spark.redshift.private_key"]', 1234],
  ['spec.sparkConf["spark.executorEnv.PIN"]', 1234],
  ['spec.hadoopConf["fs.any"]', 1234],
  ['spec.driver.annotations["a\\"b/credential"]', 1234],
])('%s without its value, which can be a secret', (path, value) => {
  expect(text(path, value)).toBe(`${path} is wrong`);
});

test('an unknown field is treated as a name that the user chose', () => {
  const unknown = (path: string) => violationText({ path, value: 'hunter2', reason: 'is not a field', unknown: true });

  expect(unknown('spec.driver.password')).toBe('spec.driver.password is not a field');
  expect(unknown('spec.driver.template.spec.containers[0].apiToken')).toBe(
    'spec.driver.template.spec.containers[0].apiToken is not a field',
  );
  expect(unknown('spec.driver.colour')).toBe('spec.driver.colour ("hunter2") is not a field');
});
