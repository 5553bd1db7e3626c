import { commandLine } from '../../../../src/operator/submission/spark-submit/command-line';

test.each([
  [['--conf', 'spark.a=b'], 'x --conf spark.a=b'],
  [['--conf', 'spark.a=b c', "it's", ''], "x --conf 'spark.a=b c' 'it'\\''s' ''"],
  [['--conf', 'spark.hadoop.fs.s3a.secret.key=hunter2'], 'x --conf spark.hadoop.fs.s3a.secret.key=***'],
  [['--conf', 'spark.ssl.keyPassword=two words'], 'x --conf spark.ssl.keyPassword=***'],
  [['--conf', 'spark.kubernetes.authenticate.submission.oauthToken=hunter2'], 'x --conf spark.kubernetes.authenticate.submission.oauthToken=***'],
  [['--conf', 'spark.driver.extraJavaOptions=-Dpassword=hunter2 -Da=b'], "x --conf 'spark.driver.extraJavaOptions=-Dpassword=*** -Da=b'"],
  [['s3a://me:hunter2@host/a.jar', '--password', 'hunter2'], 'x s3a://***@host/a.jar --password ***'],
])('%j', (args, expected) => {
  const line = commandLine('x', args);

  expect(line).not.toContain('hunter2');
  expect(line).toBe(expected);
});

test('a long command is cut', () => {
  expect(commandLine('x', Array.from({ length: 100_000 }, () => 'word')).length).toBeLessThan(5_000);
});
