import { commandLine } from '../../../src/operator/spark-submit/command-line';

test.each([
  [['--conf', 'spark.a=b'], 'x --conf spark.a=b'],
  [['--conf', "spark.a=it's c", 'a b'], "x --conf 'spark.a=it'\\''s c' 'a b'"],
  [['--class', 'A', '--conf', 'spark.a=b', 'local:///a.jar', '--auth=hunter2', 'hunter2'], 'x --class A --conf spark.a=b local:///a.jar # and 2 arguments'],
  [['local:///a.jar', 'hunter2'], 'x local:///a.jar # and 1 argument'],
  [['--conf', 'spark.executorEnv.MYSQL_PWD=hunter2'], 'x --conf spark.executorEnv.MYSQL_PWD=***'],
  [['--conf', 'spark.kubernetes.driverEnv.GREETING=hunter2'], 'x --conf spark.kubernetes.driverEnv.GREETING=***'],
  [['--conf', 'spark.hadoop.fs.azure.account.key.foo=hunter2=='], 'x --conf spark.hadoop.fs.azure.account.key.foo=***'],
  [['--conf', 'spark.hadoop.fs.any=hunter2&b=c'], 'x --conf spark.hadoop.fs.any=***'],
  [['--conf', 'spark.hadoop.fs.s3a.secret.key=hunter2'], 'x --conf spark.hadoop.fs.s3a.secret.key=***'],
  [['--conf', 'spark.ssl.keyPassword=two words'], 'x --conf spark.ssl.keyPassword=***'],
  [['--conf', 'spark.kubernetes.authenticate.submission.oauthToken=hunter2'], 'x --conf spark.kubernetes.authenticate.submission.oauthToken=***'],
  [['--conf', 'spark.driver.extraJavaOptions=-Dpassword=hunter2 -Da=b'], "x --conf 'spark.driver.extraJavaOptions=-Dpassword=*** -Da=b'"],
  [['--conf', 'spark.driver.extraJavaOptions=-Ddb.pass=hunter2 -Dq=sv=1&sig=hunter2'], "x --conf 'spark.driver.extraJavaOptions=-Ddb.pass=*** -Dq=sv=1&sig=***'"],
  [['s3a://me:hunter2@host/a.jar', '--password', 'hunter2'], 'x s3a://***@host/a.jar # and 2 arguments'],
])('%j', (args, expected) => {
  const line = commandLine('x', args);

  expect(line).not.toContain('hunter2');
  expect(line).toBe(expected);
});

test('a long command is cut', () => {
  const conf = Array.from({ length: 100_000 }, () => ['--conf', 'spark.a=b']).flat();

  expect(commandLine('x', [...conf, 'local:///a.jar', 'a']).length).toBeLessThan(5_000);
});
