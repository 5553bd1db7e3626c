import { defaultConcurrency } from '../../../src/operator/spark-submit/defaults';
import { hasHadoopConfiguration, sparkSubmitEnvironment } from '../../../src/operator/spark-submit/environment';

const SPARK = { SPARK_HOME: '/opt/spark' };

test('spark-submit gets what it needs of the operator\'s variables', () => {
  const environment = { ...SPARK, PATH: '/bin', AWS_ROLE_ARN: 'arn', POD_NAME: 'operator-0', DATABASE_PASSWORD: 'hunter2', JAVA_TOOL_OPTIONS: '-Dx' };

  expect(Object.keys(sparkSubmitEnvironment(environment, { temporary: '/t' })).sort()).toEqual([
    'AWS_ROLE_ARN', 'PATH', 'SPARK_HOME', 'SPARK_LAUNCHER_OPTS', 'SPARK_SUBMIT_OPTS',
  ]);
});

test('a configuration of Hadoop comes by variables', () => {
  expect(hasHadoopConfiguration({ HADOOP_CONF_DIR: '/etc/hadoop' })).toBe(true);
  expect(hasHadoopConfiguration({ SPARK_DIST_CLASSPATH: '/etc/hadoop:/opt/hadoop/*' })).toBe(true);
  expect(hasHadoopConfiguration({ ...SPARK, HADOOP_CONF_DIR: '' })).toBe(false);
});

describe('the JVM', () => {
  const options = (environment: object, archived = false) => sparkSubmitEnvironment({ ...SPARK, ...environment }, {
    temporary: '/t/run', archive: archived ? { file: '/a.jsa', jars: ['/opt/spark/jars/a.jar', '/opt/spark/jars/b.jar'] } : undefined,
  }).SPARK_SUBMIT_OPTS;

  test('is cheap, and keeps its files where they are removed', () => {
    expect(options({})).toBe('-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djava.io.tmpdir=/t/run');
  });

  test('uses the archive with the class path that it was made with; the operator\'s own options come last', () => {
    expect(options({ SPARK_SUBMIT_OPTS: '-Xmx1g' }, true)).toBe(
      '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djava.io.tmpdir=/t/run -XX:SharedArchiveFile=/a.jsa -Xshare:auto '
      + '-cp /opt/spark/jars/a.jar:/opt/spark/jars/b.jar:/opt/spark/conf -Xmx1g',
    );
  });

  test('trusts the certificates of the operator, and is told the proxies', () => {
    const { SPARK_SUBMIT_OPTS } = sparkSubmitEnvironment({ ...SPARK, HTTP_PROXY: 'http://proxy:3128' }, { temporary: '/t/run', trustStore: '/t/run/trust.jks' });
    expect(SPARK_SUBMIT_OPTS).toMatch(
      / -Djavax.net.ssl.trustStore=\/t\/run\/trust.jks -Djavax.net.ssl.trustStoreType=JKS -Djavax.net.ssl.trustStorePassword=changeit -Dhttp.proxyHost=proxy -Dhttp.proxyPort=3128 /,
    );
  });

  test('finds the configuration of Spark and Hadoop also then', () => {
    expect(options({ SPARK_CONF_DIR: '/conf', HADOOP_CONF_DIR: '/hadoop' }, true)).toMatch(/ -cp \S*b\.jar:\/conf:\/hadoop$/);
  });
});

test.each([
  [4, undefined, 4],
  [4, 512 * 2 ** 20, 1],
  [4, 1024 * 2 ** 20, 2],
  [1, 8 * 2 ** 30, 1],
  [2, 64 * 2 ** 20, 1],
])('%i CPUs and a memory limit of %p bytes: %i at a time', (cpus, memory, expected) => {
  expect(defaultConcurrency(cpus, memory)).toBe(expected);
});
