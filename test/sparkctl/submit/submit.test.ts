/* `sparkctl submit` without a real cluster; the rest is in test/api and test/e2e. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { FakeCluster } from '../cluster';
import { sparkctl, type World } from '../helpers';
import { application, ended, FakeKube, FakeLog, pod, Running, RUNNING } from '../log/fake-kube';
import submitCommand from '../../../src/sparkctl/commands/submit';
import { originOf } from '../../../src/sparkctl/submit/origins';

const folder = mkdtempSync(join(tmpdir(), 'submit-'));
const program = join(folder, 'etl.py');
const environment = { AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 's3cr3t', GOOGLE_OAUTH_ACCESS_TOKEN: 't0ken' };

beforeAll(() => {
  writeFileSync(program, 'print(1)\n');
  for (const name of ['SPARK_HOME', 'SPARK_CONF_DIR', 'HADOOP_CONF_DIR', 'MASTER']) delete process.env[name];
  Object.assign(process.env, environment);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const key of Object.keys(environment)) delete process.env[key];
});

const IMAGE = ['--conf', 'spark.kubernetes.container.image=apache/spark:4.1.1'];
const submit = (words: readonly string[], world?: World) => sparkctl(['submit', ...words], world);

test('--dry-run prints the SparkApplication, with uploaded files', async () => {
  const { code, stdout, stderr } = await submit([...IMAGE, '--dry-run', '--upload-to', 's3://jobs', '--name', 'My ETL', '--conf', 'spark.kubernetes.namespace=jobs', program, 'a', '--b']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
  const { metadata, spec } = parse(stdout);
  expect(metadata).toEqual({ name: expect.stringMatching(/^my-etl-[0-9a-f]{8}$/), namespace: 'jobs' });
  expect(spec).toMatchObject({ type: 'Python', sparkVersion: '4.1.1', image: 'apache/spark:4.1.1', mainApplicationFile: expect.stringMatching(/^s3a:\/\/jobs\/[0-9a-f]{32}\/etl\.py$/), arguments: ['a', '--b'] });
});

test('--dry-run prints strings that kubectl, a reader of YAML 1.1, also reads as strings', async () => {
  const { stdout } = await submit([...IMAGE, '--dry-run', '-c', 'spark.y=yes', '-c', 'spark.on=on', 'local:///a.py', 'no', 'off', 'y', '1_000']);
  expect(parse(stdout, { version: '1.1' }).spec).toMatchObject({ sparkConf: { 'spark.y': 'yes', 'spark.on': 'on' }, arguments: ['no', 'off', 'y', '1_000'] });
});

test('files go where spark-submit would upload them', async () => {
  const { stdout } = await submit([...IMAGE, '--dry-run=yaml', '-c', 'spark.kubernetes.file.upload.path=s3a://jobs/files', program]);
  expect(parse(stdout).spec.mainApplicationFile).toMatch(/^s3a:\/\/jobs\/files\/[0-9a-f]{32}\/etl\.py$/);
});

test('without a local file, an upload path needs no credentials', async () => {
  delete process.env.AWS_ACCESS_KEY_ID;
  const words = [...IMAGE, '--dry-run', '-c', 'spark.kubernetes.file.upload.path=s3a://jobs/files'];
  try {
    expect(await submit([...words, 'local:///opt/x.py'])).toMatchObject({ code: 0, stderr: [] });
    expect(await submit([...words, program])).toMatchObject({ code: 1, stderr: [expect.stringContaining('there are no credentials')] });
  } finally {
    process.env.AWS_ACCESS_KEY_ID = environment.AWS_ACCESS_KEY_ID;
  }
});

test('a jar on a volume without a class is an error of --class', async () => {
  writeFileSync(join(folder, 'etl.JAR'), 'jar');
  const { code, stderr } = await submit([...IMAGE, '--upload-to=pvc://files/jobs', join(folder, 'etl.JAR')]);
  const message = /^--class: error: SparkApplication \S+: spec\.mainClass is missing, .* name the class with the main method$/;
  expect({ code, stderr }).toEqual({ code: 1, stderr: [expect.stringMatching(message), 'Nothing was uploaded or created.'] });
});

test('without an image, that is the error', async () => {
  expect(await submit(['local:///a.py'])).toMatchObject({ code: 2, stderr: ['sparkctl submit: there is no image; add --conf spark.kubernetes.container.image=apache/spark:4.1.1, for example', expect.anything()] });
});

test('a pattern names local files', async () => {
  for (const name of ['b.jar', 'a.jar', 'c.txt']) writeFileSync(join(folder, name), name);
  const { stdout } = await submit([...IMAGE, '--dry-run', '--upload-to=gs://jobs', '--jars', `${folder}/*.jar,local:///x*.jar`, 'local:///a.py'], { });
  expect(parse(stdout).spec.deps.jars).toEqual([expect.stringMatching(/^gs:\/\/jobs\/.*\/a\.jar$/), expect.stringMatching(/\/b\.jar$/), 'local:///x*.jar']);
  expect(await submit([...IMAGE, '--jars', `${folder}/*.zip`, 'local:///a.py'])).toMatchObject({ code: 1, stderr: [`sparkctl submit: --jars: no file matches ${folder}/*.zip; check the path`] });
});

test('a pattern of archives with a folder, and of file: URIs', async () => {
  for (const name of ['env1.zip', 'lib1.jar', 'lib2.jar']) writeFileSync(join(folder, name), name);
  const words = ['--archives', `${folder}/env*.zip#env`, '--jars', `file://${folder}/lib*.jar,file:${folder}/lib1.jar`];
  const { stdout, stderr } = await submit([...IMAGE, '--dry-run', '--upload-to=gs://jobs', ...words, 'local:///a.py']);
  expect(stderr).toEqual([]);
  expect(parse(stdout).spec.deps).toEqual({
    archives: [expect.stringMatching(/\/env1\.zip#env$/)], jars: [expect.stringMatching(/\/lib1\.jar$/), expect.stringMatching(/\/lib2\.jar$/), expect.stringMatching(/\/lib1\.jar$/)],
  });
});

test('the version of Spark comes from the image, else from SPARK_HOME, else from the user', async () => {
  const version = async (image: string, options: readonly string[] = []) => {
    const { stdout, stderr } = await submit(['-c', `spark.kubernetes.container.image=${image}`, '--dry-run', ...options, 'local:///a.py'], { files: { '/spark/RELEASE': 'Spark 4.0.2 (git revision 1234) built for Hadoop 3.4.1\n' } });
    return stdout === '' ? stderr[0] : parse(stdout).spec.sparkVersion;
  };
  expect(await version('registry:5000/apache/spark:3.5.8-java17')).toBe('3.5.8');
  expect(await version('etl:7-spark4.3.0')).toBe('4.3.0');
  expect(await version('etl:2026.3.1')).toBe('sparkctl submit: the version of Spark in the image etl:2026.3.1 is unknown; add --spark-version=4.1.1, for example');
  expect(await version('etl', ['--spark-version=4.3.0'])).toBe('4.3.0');
  process.env.SPARK_HOME = '/spark';
  expect(await version('etl:latest').finally(() => delete process.env.SPARK_HOME)).toBe('4.0.2');
});

test('pod templates of this machine become part of the application', async () => {
  const { stdout } = await submit([...IMAGE, '--dry-run', '-c', 'spark.kubernetes.driver.podTemplateFile=driver.yaml', 'local:///a.py'], { files: { 'driver.yaml': 'apiVersion: v1\nkind: Pod\nspec: {priorityClassName: high}\n' } });
  expect(parse(stdout).spec).toMatchObject({ driver: { template: { spec: { priorityClassName: 'high' } } } });
});

test('errors name the argument', async () => {
  const { code, stdout, stderr } = await submit([...IMAGE, '--packages', 'org.example', '-c', 'spark.kubernetes.driver.pod.name=A_B', '--name', 'etl', '--application', 'etl', program]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toEqual(expect.arrayContaining([
    expect.stringMatching(/^--packages: error: SparkApplication etl: spec\.deps\.packages = "org\.example" is not a Maven coordinate; write group:artifact:version/),
    expect.stringMatching(/^--conf spark\.kubernetes\.driver\.pod\.name: error: SparkApplication etl: /),
    expect.stringMatching(/^the application: note: --upload-to=s3:\/\/BUCKET\/PREFIX, --upload-to=gs:\/\/BUCKET\/PREFIX or /),
    'Nothing was uploaded or created.',
  ]));
});

test('the origin of a value is found in both notations, and for the field around it', () => {
  const origins = new Map([['spec.driver.annotations.example.org/a', 'spark.x in a.conf'], ['spec.sparkConf[spark.ui.port]', '--conf spark.ui.port'], ['spec.deps.jars', '--jars']]);
  expect(['spec.driver.annotations[example.org/a]', 'spec.driver.annotations', 'spec.sparkConf[spark.ui.port]', 'spec.deps.jars[0]', 'spec.deps', 'spec', 'spec.hadoopConf'].map((field) => originOf(origins, field))).toEqual([
    'spark.x in a.conf', 'spark.x in a.conf', '--conf spark.ui.port', '--jars', '--jars', 'the submission', 'the submission',
  ]);
});

test('a missing image: the message names the property', async () => {
  const { stderr } = await submit(['--spark-version', '4.1.1', '--dry-run', 'local:///a.py']);
  expect(stderr[0]).toMatch(/^--conf spark\.kubernetes\.container\.image: warning: .* spec\.image is missing/);
});

test.each([
  [['--no-wait', '--follow'], '--no-wait excludes --follow; omit one of them'],
  [['--application', 'My ETL'], '--application My ETL: write lower-case letters, digits and -, at most 63'],
  [['-n', 'a', '-c', 'spark.kubernetes.namespace=b'], '--conf spark.kubernetes.namespace b: it is not a, the value of --namespace; omit one of them'],
  [['--dry-run=json'], '--dry-run json: write one of yaml, typescript'],
  [['-c', 'spark.kubernetes.file.upload.path=s3a://J'], '--conf spark.kubernetes.file.upload.path s3a://J: this is not a valid name of a bucket; names consist of lower-case letters, digits, - and .; write s3://BUCKET/PREFIX'],
])('rejects %j', async (options, message) => {
  expect(await submit([...IMAGE, ...options, 'local:///a.py'])).toMatchObject({ code: 2, stdout: '', stderr: [`sparkctl submit: ${message}`, expect.anything()] });
});

test('--verbose prints the properties and their origins, without secrets', async () => {
  const verbose = async (resource: string) => (await submit([...IMAGE, '--dry-run', '-v', '-c', 'spark.my.password=s3cr3t', resource, 'x'])).stderr;
  expect((await verbose('https://user:hunter2@repo.example/a.py?X-Amz-Signature=abc'))[0]).toBe('application: https://***@repo.example/a.py?***');
  expect(await verbose('local:///a.py')).toEqual([
    'application: local:///a.py', 'arguments: 1', 'Spark properties:', '  spark.kubernetes.container.image=apache/spark:4.1.1  (--conf)', '  spark.my.password=***  (--conf)',
  ]);
});

const withUid = (state: string, uid: string, message?: string) => {
  const object = application(state, { name: 'etl', message });
  return { ...object, metadata: { ...object.metadata, uid } };
};

/** Starts `submit --follow`, up to the first line of the log. */
async function followed() {
  const kube = await FakeKube.start();
  const log = new FakeLog();
  kube.logs.set('etl-driver', log);
  kube.put('pods', pod(RUNNING, { name: 'etl' }));
  log.line('row 1');
  const create = async (_: unknown, object: any) => {
    kube.put('sparkapplications', withUid('RUNNING', 'a'));
    return { ...object, metadata: { ...object.metadata, namespace: 'jobs', uid: 'a' } };
  };
  const client = () => Object.create(kube.client(), { create: { value: create }, close: { value: () => {} } });
  const entry = { name: 'submit', summary: '', load: async () => ({ default: submitCommand }) };
  const running = new Running({ client, connection: kube.connection }, entry, [...IMAGE, '--application', 'etl', '--follow', 'local:///a.py']);
  await running.printed('row 1');
  return { kube, log, running };
}

test('--follow prints the outcome once, and returns the exit code of the driver', async () => {
  const { kube, log, running } = await followed();
  kube.put('pods', pod(ended(3), { name: 'etl' }));
  kube.put('sparkapplications', withUid('FAILED', 'a', 'driver container failed with ExitCode: 3, Reason: Error'));
  log.end();
  expect(await running.code).toBe(3);
  expect(running.out.match(/exit code 3/g)).toHaveLength(1);
  await kube.stop();
});

test('--follow does not return the outcome of another application that has the name meanwhile', async () => {
  const { kube, log, running } = await followed();
  kube.put('pods', pod(ended(0), { name: 'etl' }));
  kube.put('sparkapplications', withUid('COMPLETED', 'b'));
  log.end();
  expect(await running.code).toBe(4);
  expect(running.out).toMatch(/SparkApplication jobs\/etl was deleted/);
  await kube.stop();
});

describe('with a cluster', () => {
  const NAMED = ['--application', 'etl', '--name', 'etl', ...IMAGE];

  test('creates the application', async () => {
    const cluster = new FakeCluster();
    const { code, stdout, stderr } = await submit([...NAMED, '--no-wait', 'local:///a.py'], { cluster });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'SparkApplication jobs/etl created\n', stderr: [] });
    expect(cluster.changes).toEqual(['create sparkapplications jobs/etl']);
  });

  test('spark.kubernetes.submission.waitAppCompletion=false does not wait', async () => {
    expect(await submit([...NAMED, '-c', 'spark.kubernetes.submission.waitAppCompletion=false', 'local:///a.py'], { cluster: new FakeCluster() })).toMatchObject({ code: 0 });
  });

  test('the master must be the server of the context', async () => {
    const withMaster = (master: string) => submit([...NAMED, '--no-wait', '--master', master, 'local:///a.py'], { cluster: new FakeCluster() });
    expect(await withMaster('k8s://https://cluster.example:443/')).toMatchObject({ code: 0 });
    expect(await withMaster('k8s://cluster.example')).toMatchObject({ code: 0 });
    expect(await withMaster('k8s://https://kubernetes.default.svc')).toMatchObject({ code: 0 });
    expect(await withMaster('k8s://https://other.example')).toMatchObject({
      code: 1, stdout: '', stderr: ['sparkctl submit: --master k8s://https://other.example is not the server of the kubeconfig\'s context, https://cluster.example; choose a context with --context, or omit it'],
    });
  });
});

test('--help ends the command line', async () => {
  expect((await submit(['--name', 'x', '--help', '--frobnicate'])).stdout).toMatch(/^Submits an application with the arguments of spark-submit/);
  expect((await submit(['--version'])).stdout).toBe('1.2.3\n');
});
