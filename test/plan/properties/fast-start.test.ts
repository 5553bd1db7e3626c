import { setFastStart, type FastStartSpec } from '../../../src/plan/properties/fast-start';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { problemText } from '../../../src/model/problem';
import { leftToWebhook } from '../../../src/plan/left-to-webhook';
import { prepareSubmission } from '../../../src/plan/prepare';
import { application, CONTEXT, planOf } from '../application';

const AUTO: FastStartSpec = { fastStart: 'auto', executor: {} };

function outcomeOf(spec: FastStartSpec, before: { readonly [key: string]: string } = {}) {
  const properties = SparkProperties.of(before);
  const warnings = setFastStart(properties, spec).map(problemText);
  return { properties: Object.fromEntries(properties.entries()), warnings, overridden: properties.overridden };
}

const DRIVER = {
  'spark.driver.extraClassPath': '/opt/spark/fast-start/spark.jar',
  'spark.driver.defaultJavaOptions': '-XX:SharedArchiveFile=/opt/spark/fast-start/spark.jsa',
  'spark.kubernetes.driverEnv.SPARK_LAUNCHER_OPTS': '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xbootclasspath/a:/opt/spark/fast-start/launcher.jar',
};
const EXECUTOR = {
  'spark.executor.defaultJavaOptions': '-XX:SharedArchiveFile=/opt/spark/fast-start/spark.jsa',
  'spark.executorEnv.SPARK_CONF_DIR': '/opt/spark/fast-start/spark.jar:/opt/spark/conf',
};

test('auto names the archive in its conventional folder, and keeps the folder with the configuration of executors', () => {
  expect(outcomeOf(AUTO)).toEqual({ properties: { ...DRIVER, ...EXECUTOR }, warnings: [], overridden: [] });
});

test('a folder names the archive in it', () => {
  const { properties } = outcomeOf({ ...AUTO, fastStart: '/opt/app/fast' });

  expect(Object.values(properties).join()).not.toContain('/opt/spark/fast-start');
  expect(properties).toMatchObject({
    'spark.driver.extraClassPath': '/opt/app/fast/spark.jar', 'spark.executorEnv.SPARK_CONF_DIR': '/opt/app/fast/spark.jar:/opt/spark/conf',
  });
});

test.each([undefined, 'none'])('%s changes nothing', (fastStart) => {
  expect(outcomeOf({ ...AUTO, fastStart })).toEqual({ properties: {}, warnings: [], overridden: [] });
});

test('options of the user are kept, after that of the archive: the last one applies', () => {
  const { properties, warnings } = outcomeOf(AUTO, {
    'spark.driver.defaultJavaOptions': '-Xss4m', 'spark.driver.extraJavaOptions': '-XX:+UseParallelGC', 'spark.executor.extraJavaOptions': '-javaagent:/a.jar',
  });

  expect(warnings).toEqual([]);
  expect(properties).toMatchObject({
    'spark.driver.defaultJavaOptions': '-XX:SharedArchiveFile=/opt/spark/fast-start/spark.jsa -Xss4m',
    'spark.driver.extraJavaOptions': '-XX:+UseParallelGC',
    'spark.executor.extraJavaOptions': '-javaagent:/a.jar',
  });
});

test('options of the launcher are left to the user who sets some', () => {
  const { properties, warnings } = outcomeOf(AUTO, { 'spark.kubernetes.driverEnv.SPARK_LAUNCHER_OPTS': '-Dx=y' });

  expect(properties).toMatchObject({ ...DRIVER, 'spark.kubernetes.driverEnv.SPARK_LAUNCHER_OPTS': '-Dx=y' });
  expect(warnings).toEqual([]);
});

describe('takes no precedence over', () => {
  test.each([
    ['spark.driver.extraClassPath', '/opt/app/lib/*', 'driver', 'decides about the class path'],
    ['spark.driver.extraJavaOptions', '-Da=b -XX:SharedArchiveFile=/secret.jsa', 'driver', 'has -XX:SharedArchiveFile'],
    ['spark.driver.defaultJavaOptions', '-Xshare:off', 'driver', 'has -Xshare:off'],
    ['spark.driver.memory', '32g', 'driver', '32 GiB'],
    ['spark.executor.extraClassPath', '/opt/app/lib/*', 'executors', 'decides about the class path'],
    ['spark.executorEnv.SPARK_CLASSPATH', '/opt/app/lib/*', 'executors', 'decides about the class path'],
    ['spark.executorEnv.SPARK_CONF_DIR', '/etc/mine', 'executors', 'decides about the class path'],
    ['spark.executor.extraJavaOptions', '-XX:+UseZGC', 'executors', 'has -XX:+UseZGC'],
    ['spark.executor.extraJavaOptions', '"-XX:AOTCache=/my cache"', 'executors', 'has -XX:AOTCache'],
    ['spark.executor.memory', '48Gi', 'executors', '32 GiB'],
  ])('%s=%s', (key, value, role, because) => {
    const { properties, warnings } = outcomeOf(AUTO, { [key]: value });

    expect(warnings).toEqual([expect.stringMatching(`^spec.fastStart does not apply to the ${role}: .*${key}.*`)]);
    expect(warnings[0]).toContain(because);
    expect(warnings[0]).not.toContain('secret');
    // The other role keeps its archive.
    expect(properties).toEqual({ ...(role === 'driver' ? EXECUTOR : DRIVER), [key]: value });
  });

  test('another folder of configuration for executors', () => {
    const { properties, warnings } = outcomeOf({ ...AUTO, executor: { env: [{ name: 'SPARK_CONF_DIR', value: '/etc/mine' }] } });

    expect(warnings).toEqual(['spec.fastStart does not apply to the executors: spec.executor.env[SPARK_CONF_DIR] decides about the beginning of the class path']);
    expect(properties).toEqual(DRIVER);
  });

  test.each(['31g', '-Xss4m', '-XX:+UseG1GC -XX:TieredStopAtLevel=1', '-agentlib:jdwp=transport=dt_socket'])('but over no setting such as %s', (value) => {
    const key = value.startsWith('-') ? 'spark.executor.extraJavaOptions' : 'spark.executor.memory';
    expect(outcomeOf(AUTO, { [key]: value }).warnings).toEqual([]);
  });
});

describe('with sparkConfigMap', () => {
  const given = application({ spec: { fastStart: 'auto', sparkConfigMap: 'files' } });

  test('executors have its folder after the archive, in template and property', () => {
    const { configMap, warnings } = planOf(given);
    const { executorTemplate } = prepareSubmission(given, CONTEXT);

    expect(configMap.data!['spark.properties']).toContain('spark.executorEnv.SPARK_CONF_DIR=/opt/spark/fast-start/spark.jar\\:/etc/spark/conf');
    expect(executorTemplate.spec!.containers![0]!.env).toEqual([{ name: 'SPARK_CONF_DIR', value: '/opt/spark/fast-start/spark.jar:/etc/spark/conf' }]);
    expect(warnings).toEqual([]);
  });

  test('the driver has its folder, and the webhook nothing left to do', () => {
    const { driver, warnings } = planOf(given, { ...CONTEXT, podWebhook: true });

    expect(driver.spec.containers[0]!.env!.findLast(({ name }) => name === 'SPARK_CONF_DIR')).toEqual({ name: 'SPARK_CONF_DIR', value: '/etc/spark/conf' });
    expect(leftToWebhook(prepareSubmission(given, { ...CONTEXT, podWebhook: true }), 'native')).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

test('reaches the created objects, as the last word on a class path has the application', () => {
  const { driver, configMap } = planOf(application({ spec: { fastStart: 'auto' } }));
  const { data } = configMap;

  expect(driver.spec.containers[0]!.env).toContainEqual({ name: 'SPARK_LAUNCHER_OPTS', value: DRIVER['spark.kubernetes.driverEnv.SPARK_LAUNCHER_OPTS'] });
  expect(data!['spark.properties']).toContain('spark.driver.extraClassPath=/opt/spark/fast-start/spark.jar');
  expect(data!['spark.properties']).toContain('spark.executorEnv.SPARK_CONF_DIR=/opt/spark/fast-start/spark.jar\\:/opt/spark/conf');

  const { warnings } = planOf(application({ spec: { fastStart: 'auto', sparkConf: { 'spark.driver.extraClassPath': '/a.jar' } } }));
  expect(warnings.map(problemText)).toContain(
    'spec.fastStart does not apply to the driver: spec.sparkConf[spark.driver.extraClassPath] decides about the class path; jars in the folder jars of Spark need no entry',
  );
});
