import { mayHoldSecret } from '../../src/text/secret-names';

test.each([
  ['spec.driver.envVars[GREETING]', true],
  ['spec.executor.env[0].value', true],
  ['spec.hadoopConf[fs.any]', true],
  ['spec.sparkConf[spark.hadoop.fs.any]', true],
  ['spark.executorEnv.GREETING', true],
  ['spark.kubernetes.driverEnv.GREETING', true],
  ['spec.sparkConf[spark.my.api-key]', true],
  ['spec.sparkConf[spark.redshift.private_key]', true],
  ['spark.db.passwd', true],
  ['spec.sparkConf[spark.kubernetes.authenticate.driver.oauthToken]', true],
  ['spec.driver.memory', false],
  ['spark.kubernetes.container.image', false],
  ['spark.sql.passThrough', false],
  ['spark.kubernetes.environment', false],
])('%s can hold a secret: %p', (name, expected) => expect(mayHoldSecret(name)).toBe(expected));
