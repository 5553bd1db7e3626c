/* Command lines of spark-submit, and what they mean. test/differential compares this with real spark-submit. */
import { submitLine } from '../../../src/sparkctl/submit/command-line';
import { propertiesFiles, type Environment } from '../../../src/sparkctl/submit/properties-files';
import { requestOf } from '../../../src/sparkctl/submit/request';

async function request(words: readonly string[], { files = {}, environment = {} }: { readonly files?: Readonly<Record<string, string>>; readonly environment?: Environment } = {}) {
  const line = submitLine(words);
  const readFile = async (path: string) => {
    if (files[path] === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
    return files[path];
  };
  return requestOf(line, await propertiesFiles(line, environment, { readFile }), environment);
}

/** Values by property. */
const values = async (...args: Parameters<typeof request>) => Object.fromEntries([...(await request(...args)).properties].map(([key, { value }]) => [key, value]));

test('everything after the application belongs to it', async () => {
  expect(await request(['--name', 'etl', 'etl.py', '--conf', 'a', '-v', '--help'])).toMatchObject({ name: 'etl', resource: 'etl.py', arguments: ['--conf', 'a', '-v', '--help'] });
});

test('an option takes the next word as its value, whatever it looks like', async () => {
  expect(await values(['--driver-java-options', '-Dx=y --z', '-c', 'spark.a=b=c', '--conf=spark.d=', '--verbose=no', 'a.jar'])).toEqual({ 'spark.driver.extraJavaOptions': '-Dx=y --z', 'spark.a': 'b=c', 'spark.d': '' });
});

test('options become properties', async () => {
  const options = ['--jars', 'a.jar,b.jar', '--packages', 'g:a:1', '--exclude-packages', 'g:b', '--repositories', 'https://example.org', '--py-files', 'c.zip', '--files', 'd', '--archives', 'e.zip#f', '--num-executors', '3', '--executor-cores', '2', '--driver-cores', '1', '--driver-class-path', '/x', '--driver-library-path', '/y', '--principal', 'me', '--keytab', 'local:///k'];
  expect(await values([...options, 'a.py'])).toEqual({
    'spark.jars': 'a.jar,b.jar', 'spark.jars.packages': 'g:a:1', 'spark.jars.excludes': 'g:b', 'spark.jars.repositories': 'https://example.org', 'spark.submit.pyFiles': 'c.zip', 'spark.files': 'd', 'spark.archives': 'e.zip#f',
    'spark.executor.instances': '3', 'spark.executor.cores': '2', 'spark.driver.cores': '1', 'spark.driver.extraClassPath': '/x', 'spark.driver.extraLibraryPath': '/y', 'spark.kerberos.principal': 'me', 'spark.kerberos.keytab': 'local:///k',
  });
});

describe('precedence', () => {
  test('an option, then --conf, then files, then variables', async () => {
    const files = { 'mine.conf': 'spark.executor.memory 3g\nspark.executor.cores=3\nspark.x = y \n', '/spark/conf/spark-defaults.conf': 'spark.x no\nspark.y yes\n' };
    const environment = { SPARK_HOME: '/spark', SPARK_EXECUTOR_CORES: '5', SPARK_DRIVER_MEMORY: '6g' };
    expect(await values(['--conf', 'spark.executor.memory=2g', '--executor-memory', '1g', '--properties-file', 'mine.conf', 'a.py'], { files, environment })).toEqual({
      'spark.executor.memory': '1g', 'spark.executor.cores': '3', 'spark.x': 'y', 'spark.driver.memory': '6g',
    });
    expect(await values(['--properties-file', 'mine.conf', '--load-spark-defaults', 'a.py'], { files, environment: { SPARK_HOME: '/spark' } })).toMatchObject({ 'spark.x': 'y', 'spark.y': 'yes' });
    expect(await values(['a.py'], { files, environment: { SPARK_HOME: '/spark' } })).toEqual({ 'spark.x': 'no', 'spark.y': 'yes' });
    expect(await values(['a.py'], { files, environment: { SPARK_HOME: '/spark', SPARK_CONF_DIR: '/elsewhere' } })).toEqual({});
  });

  test('the last of equal ones', async () => {
    expect(await values(['-c', 'spark.a=1', '-c', 'spark.a=2', '--jars', 'a.jar', '--jars', 'b.jar', 'a.py'])).toEqual({ 'spark.a': '2', 'spark.jars': 'b.jar' });
  });

  test('options of the driver are --conf for the launcher, so that the last one applies', async () => {
    expect(await values(['--driver-memory', '1g', '--conf', 'spark.driver.memory=2g', 'a.py'])).toEqual({ 'spark.driver.memory': '2g' });
    expect(await values(['--conf', 'spark.driver.memory=2g', '--driver-memory', '1g', 'a.py'])).toEqual({ 'spark.driver.memory': '1g' });
  });
});

test('spark-defaults.conf might not exist, but must be readable if it does', async () => {
  const withDefaults = (code: string) => propertiesFiles(submitLine(['a.py']), { SPARK_CONF_DIR: '/conf' }, { readFile: async () => { throw Object.assign(new Error(code), { code }); } });
  expect(await withDefaults('ENOENT')).toEqual([]);
  await expect(withDefaults('EACCES')).rejects.toThrow('/conf/spark-defaults.conf: you cannot open it; check its permissions');
});

test('each property keeps its origin', async () => {
  const { properties, notes } = await request(['--executor-memory', '1g', '-c', 'spark.a=b', '-c', 'a.b=c', '--queue', 'q', 'a.py'], { files: { 'conf/spark-defaults.conf': 'spark.d e\nf g\n' }, environment: { SPARK_CONF_DIR: 'conf' } });
  expect(Object.fromEntries([...properties].map(([key, { origin }]) => [key, origin]))).toEqual({ 'spark.executor.memory': '--executor-memory', 'spark.a': '--conf spark.a', 'spark.d': 'spark.d in conf/spark-defaults.conf' });
  expect(notes).toEqual([
    'f in conf/spark-defaults.conf has no effect: Spark only takes properties that start with spark.',
    '--conf a.b has no effect: Spark only takes properties that start with spark.',
    '--queue has no effect: it is for YARN; queues of batch schedulers are in spec.batchSchedulerOptions',
  ]);
});

test.each([
  [[], 'the application is missing; name a jar, a Python file or an R file after the options'],
  [['--exectuor-memory', '1g', 'a.py'], 'there is no option --exectuor-memory; did you mean --executor-memory?'],
  [['--numexecutors=3', 'a.py'], 'there is no option --numexecutors; did you mean --num-executors?'],
  [['--name'], '--name needs a value; write --name NAME'],
  [['--name=', 'a.py'], '--name= has an empty value after =; write the value as the next word'],
  [['--conf', 'spark.a', 'a.py'], '--conf spark.a: it has no =; write --conf KEY=VALUE'],
  [['--deploy-mode', 'local', 'a.py'], '--deploy-mode local: write one of cluster, client'],
  [['--deploy-mode', 'client', 'a.py'], '--deploy-mode client: the driver would run on this machine, where sparkctl has no Spark; omit it, and the driver runs in the cluster'],
  [['--master', 'yarn', 'a.py'], '--master yarn: sparkctl submits to Kubernetes; omit it, or write k8s:// and the URL of the API server'],
  [['--num-executors', '0', 'a.py'], '--num-executors 0: write a whole number of at least 1'],
  [['--executor-memory', '1.5g', 'a.py'], '--executor-memory 1.5g: write a size such as 512m or 4g'],
  [['--kill', 'jobs:etl'], '--kill jobs:etl: sparkctl submit only submits; stop an application with sparkctl suspend or sparkctl delete'],
  [['--proxy-user', 'a', '--principal', 'b', 'a.py'], '--principal b: spark-submit does not combine it with --proxy-user a; omit one of them'],
  [['--properties-file', 'absent.conf', 'a.py'], 'absent.conf: there is no such file; check the path'],
])('rejects %j', async (words, message) => {
  await expect((async () => request(words))()).rejects.toThrow(message);
});
