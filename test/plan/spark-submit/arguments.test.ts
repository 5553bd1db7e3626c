import type { MainApplication } from '../../../src/plan/properties/main-application';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { sparkSubmitArguments } from '../../../src/plan/spark-submit/arguments';
import type { SparkSubmitInput } from '../../../src/plan/spark-submit/arguments';

const JAR: MainApplication = { type: 'java', resource: 'local:///app.jar', mainClass: 'my.Main', arguments: ['--conf', 'x', 'a b', ''] };

function argumentsOf(conf: { [key: string]: string }, input: Partial<SparkSubmitInput> = {}): string[] {
  return sparkSubmitArguments({ properties: SparkProperties.of(conf), application: JAR, master: 'k8s://https://10.0.0.1:443', ...input });
}

/** Returns the properties of spark-submit. */
function confOf(args: readonly string[]): string[] {
  return args.filter((_, index) => args[index - 1] === '--conf' && index < args.indexOf(JAR.resource));
}

test('options, then properties by their keys, then what is run and its arguments', () => {
  const conf = { 'spark.master': 'k8s://elsewhere', 'spark.submit.deployMode': 'client', 'spark.app.name': 'Daily report', 'spark.b': '', 'spark.a': 'x=y z', 'other': '1' };

  expect(argumentsOf(conf, { application: { ...JAR, proxyUser: 'etl' } })).toEqual([
    '--master', 'k8s://https://10.0.0.1:443',
    '--deploy-mode', 'cluster',
    '--class', 'my.Main',
    '--name', 'Daily report',
    '--conf', 'spark.a=x=y z',
    '--conf', 'spark.b=',
    '--conf', 'spark.kubernetes.submission.waitAppCompletion=false',
    '--proxy-user', 'etl',
    'local:///app.jar',
    '--conf', 'x', 'a b', '',
  ]);
});

test('Python has no class', () => {
  const args = argumentsOf({}, { application: { type: 'python', resource: 'local:///app.py', arguments: [] } });

  expect(args).not.toContain('--class');
  expect(args.at(-1)).toBe('local:///app.py');
});

test('known failure R3: it never waits for the end of the application', () => {
  const wait = 'spark.kubernetes.submission.waitAppCompletion';

  expect(confOf(argumentsOf({ [wait]: 'true' })).filter(conf => conf.startsWith(wait))).toEqual([`${wait}=false`]);
});

test('dependencies are properties, which mean the same as options', () => {
  const conf = { 'spark.jars': 'https://r/a.jar', 'spark.submit.pyFiles': 'a.zip', 'spark.jars.excludes': 'g:c' };

  expect(confOf(argumentsOf(conf))).toEqual(expect.arrayContaining(Object.entries(conf).map(([key, value]) => `${key}=${value}`)));
});

describe('pod templates', () => {
  test('are given by path, with the container that they are about', () => {
    const conf = confOf(argumentsOf({ 'spark.kubernetes.executor.podTemplateContainerName': 'mine' }, { templates: { driver: '/t/driver.json', executor: '/t/executor.json' } }));

    expect(conf).toEqual([
      'spark.kubernetes.driver.podTemplateContainerName=spark-kubernetes-driver',
      'spark.kubernetes.driver.podTemplateFile=/t/driver.json',
      'spark.kubernetes.executor.podTemplateContainerName=mine',
      'spark.kubernetes.executor.podTemplateFile=/t/executor.json',
      'spark.kubernetes.submission.waitAppCompletion=false',
    ]);
  });

  test('stay away if there are none, and the user\'s own stay', () => {
    expect(confOf(argumentsOf({ 'spark.kubernetes.driver.podTemplateFile': '/mine.yaml' })).filter(conf => conf.includes('Template'))).toEqual([
      'spark.kubernetes.driver.podTemplateFile=/mine.yaml',
    ]);
  });
});

describe('nothing of the user\'s is taken for an option or another property', () => {
  test.each<[string, () => unknown]>([
    ['an option in place of the file', () => argumentsOf({}, { application: { ...JAR, resource: '--deploy-mode' } })],
    ['a word that starts a shell', () => argumentsOf({}, { application: { ...JAR, resource: 'pyspark-shell-main' } })],
    ['no file', () => argumentsOf({}, { application: { ...JAR, resource: '' } })],
    ["'=' in a key", () => argumentsOf({ 'spark.master=local[1]': '' })],
    ['a blank in a key', () => argumentsOf({ 'spark.a b': '1' })],
    ['a NUL in a value', () => argumentsOf({ 'spark.a': 'a\0b' })],
    ['a property that no command line holds', () => argumentsOf({ 'spark.a': 'x'.repeat(128 * 1024 - 'spark.a='.length) })],
  ])('%s is refused', (_, build) => {
    expect(build).toThrow(expect.objectContaining({ name: 'SubmissionError' }));
  });

  test('values that look like options follow the option that they belong to', () => {
    const args = argumentsOf({ 'spark.app.name': '--deploy-mode=client', 'spark.a': '--x' }, { application: { ...JAR, proxyUser: '-u' } });

    expect(args[args.indexOf('--name') + 1]).toBe('--deploy-mode=client');
    expect(args[args.indexOf('--proxy-user') + 1]).toBe('-u');
    expect(confOf(args)).toContain('spark.a=--x');
  });
});
