/* `sparkctl create` without a real cluster; the rest is in test/api and test/e2e. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { FakeCluster } from './cluster';
import { manifest, sparkctl } from './helpers';
import { NetworkError } from '../../src/kube/errors';

const folder = mkdtempSync(join(tmpdir(), 'create-'));
const program = join(folder, 'my program.py');
const keys = { AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 's3cr3t' };

beforeAll(() => {
  writeFileSync(program, 'print(1)\n');
  Object.assign(process.env, keys);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const key of Object.keys(keys)) delete process.env[key];
});

const withProgram = (path = program) => manifest().replace('local:///opt/spark/pi.py', path);
const create = (text: string, options: readonly string[], cluster?: Pick<FakeCluster, 'client'>) => sparkctl(['create', 'a.yaml', ...options], { files: { 'a.yaml': text }, cluster });

describe('--dry-run=client', () => {
  test('applies --override', async () => {
    const { code, stdout } = await create(manifest({ spec: '  arguments: [a, b]\n' }), ['--dry-run=client', '--override', 'executor.instances=3,sparkConf.spark.ui.enabled=false,arguments[1]=x\\,y,arguments[2]=z,driver.coreRequest=500m,suspend=true']);
    expect(code).toBe(0);
    expect(parse(stdout).spec).toMatchObject({
      executor: { instances: 3 }, sparkConf: { 'spark.ui.enabled': 'false' }, arguments: ['a', 'x,y', 'z'], driver: { coreRequest: '500m' }, suspend: true, sparkVersion: '4.1.1',
    });
  });

  test('prints the metadata before the specification, and no namespace that nothing names', async () => {
    const object = parse((await create(manifest(), ['--dry-run=client'])).stdout);
    expect(Object.keys(object)).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(object.metadata).toEqual({ name: 'pi' });
  });

  test('puts files into a bucket under paths that depend on their content', async () => {
    const { code, stdout, stderr } = await create(withProgram(), ['--dry-run=client', '--upload-to=s3://jobs/etl', '-o', 'json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    expect(JSON.parse(stdout).spec.mainApplicationFile).toMatch(/^s3a:\/\/jobs\/etl\/[0-9a-f]{32}\/my%20program\.py$/);
  });

  test('puts files onto a volume that driver and executors mount', async () => {
    const { code, stdout } = await create(withProgram(), ['--dry-run=client', '--upload-to=pvc://programs/etl']);
    expect(code).toBe(0);
    const { spec } = parse(stdout);
    expect(spec.mainApplicationFile).toMatch(/^local:\/\/\/opt\/sparkctl\/programs\/etl\/[0-9a-f]{32}\/my%20program\.py$/);
    expect(spec.driver.volumeMounts).toEqual([{ name: 'sparkctl-uploads', mountPath: '/opt/sparkctl/programs', readOnly: true }]);
    expect(spec.executor.volumeMounts).toEqual(spec.driver.volumeMounts);
  });

  test('creates an application from a schedule that is not its run', async () => {
    const template = parse(manifest()).spec;
    const cluster = new FakeCluster().put('scheduledsparkapplications', {
      metadata: { name: 'nightly', namespace: 'jobs', uid: '1', labels: { 'team': 'data', 'sparkoperator.k8s.io/app-name': 'x' } }, spec: { schedule: '@daily', template },
    } as any);
    const run = (...args: string[]) => sparkctl(['create', '--dry-run=client', '--from=schedule/nightly', ...args], { cluster });
    const { code, stdout } = await run('backfill', '-n', 'jobs');
    expect(code).toBe(0);
    expect(parse(stdout)).toEqual({ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name: 'backfill', namespace: 'jobs', labels: { team: 'data' } }, spec: template });
    expect(parse((await run('-n', 'jobs')).stdout).metadata.name).toMatch(/^nightly-[0-9a-f]{8}$/);
  });
});

test.each([
  [['--override=executor.instance=3'], '--override=executor.instance=3: spec.executor.instance is not a field; did you mean instances?'],
  [['--override=executor.instances=many'], '--override=executor.instances=many: spec.executor.instances (many) must be a whole number'],
  [['--override=driver=4g'], '--override=driver=4g: spec.driver is an object: name one of its fields, or change the manifest'],
  [['--override=arguments=x'], '--override=arguments=x: spec.arguments is a list: name one of its entries, such as arguments[0], or change the manifest'],
  [['--override=arguments[1]=x'], '--override=arguments[1]=x: spec.arguments[1] is out of range: the list has 0 entries, and the next is [0]'],
  [['--override=instances'], '--override=instances: "instances" is not FIELD=VALUE; write for example executor.instances=3, and \\, for a comma in a value'],
  [['--timeout=5m'], '--timeout needs --wait; add it'],
  [['--wait', '--timeout=soon'], '--timeout=soon: write a duration longer than 0, such as 10m or 1h30m'],
  [['--upload-region=eu'], '--upload-endpoint and --upload-region need --upload-to=s3://…; add it'],
  [['--upload-to=ftp://x'], '--upload-to=ftp://x: write s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or pvc://CLAIM/FOLDER'],
])('rejects %j', async (options, message) => {
  expect(await create(manifest(), options)).toMatchObject({ code: 2, stdout: '', stderr: [`sparkctl create: ${message}`, expect.anything()] });
});

test('a schedule: the message names the command that takes it', async () => {
  const { stderr } = await create(manifest().replace('kind: SparkApplication', 'kind: ScheduledSparkApplication'), []);
  expect(stderr[0]).toMatch(/ScheduledSparkApplication pi is skipped, as it is no SparkApplication; `sparkctl apply` takes it$/);
});

test('a local file without --upload-to: the message names the option', async () => {
  const { code, stderr } = await create(withProgram(), []);
  expect(code).toBe(1);
  expect(stderr).toEqual([
    expect.stringContaining('spec.mainApplicationFile'),
    'a.yaml:1:1: note: SparkApplication pi: --upload-to=s3://BUCKET/PREFIX, --upload-to=gs://BUCKET/PREFIX or --upload-to=pvc://CLAIM/FOLDER uploads local files',
    'Nothing was uploaded or created.',
  ]);
});

test('a local file that does not exist is the error', async () => {
  const { code, stderr } = await create(withProgram('absent.py'), []);
  expect({ code, stderr }).toEqual({
    code: 1, stderr: [
      expect.stringMatching(/spec\.mainApplicationFile = "absent\.py" does not exist on this machine; correct the path, or write local:\/\/\/PATH if the image has the file$/),
      'Nothing was uploaded or created.',
    ],
  });
});

test.each([
  ['a file that is not there', withProgram(join(folder, 'absent.py')), /absent\.py: there is no such file; check the path$/],
  ['a name that Spark does not take', withProgram('"a*.py"'), /cannot be uploaded/],
])('%s', async (_, text, message) => {
  expect(await create(text, ['--upload-to=s3://jobs'])).toMatchObject({ code: 1, stdout: '', stderr: [expect.stringMatching(message)] });
});

test('reports all errors before the first upload', async () => {
  const { code, stderr } = await create(withProgram().replace('driver: {}', 'driver: {memory: 1.5g}'), ['--upload-to=s3://jobs', '--upload-endpoint=http://127.0.0.1:9']);
  expect(code).toBe(1);
  expect(stderr.at(0)).toContain('spec.driver.memory = "1.5g"');
  expect(stderr.at(-1)).toBe('Nothing was uploaded or created.');
});

test('creates nothing if the upload fails', async () => {
  const cluster = new FakeCluster();
  const { code, stderr } = await create(withProgram(), ['--upload-to=s3://jobs', '--upload-endpoint=http://127.0.0.1:9'], cluster);
  expect(code).toBe(1);
  expect(stderr.at(-1)).toMatch(/my program\.py could not be uploaded to s3:\/\/jobs: no answer from http:\/\/127\.0\.0\.1:9: .*; no server listens there: check --upload-endpoint$/);
  expect(cluster.changes).toEqual([]);
});

test('does not upload files for an application that exists', async () => {
  const cluster = new FakeCluster().put('sparkapplications', { metadata: { name: 'pi', namespace: 'jobs' } });
  const { code, stderr } = await create(withProgram(), ['--upload-to=s3://jobs', '--upload-endpoint=http://127.0.0.1:9'], cluster);
  expect({ code, last: stderr.at(-1) }).toEqual({ code: 1, last: 'sparkctl create: SparkApplication jobs/pi already exists; choose another name, change it with `sparkctl apply`, or use --delete-if-exists' });
});

describe('several applications, one of which is rejected', () => {
  const several = ['a', 'b', 'c'].map((name) => manifest({ name })).join('---\n');
  const refusing = () => {
    const cluster = new FakeCluster();
    cluster.forbidden.add('create sparkapplications b');
    return cluster;
  };

  test('reports it, and creates the others', async () => {
    const cluster = refusing();
    const { code, stdout, stderr } = await create(several, [], cluster);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'SparkApplication jobs/a created\nSparkApplication jobs/c created\n' });
    expect(stderr).toEqual([expect.stringMatching(/^a\.yaml:13:1: error: SparkApplication b: you cannot create sparkapplications in jobs; ask for the permission .* \(403 Forbidden for jane\)$/)]);
    expect(cluster.changes).toEqual(['create sparkapplications jobs/a', 'create sparkapplications jobs/c']);
  });

  test('prints the created ones as a list for scripts', async () => {
    expect(await create(several, ['-o', 'name'], refusing())).toMatchObject({ code: 1, stdout: 'sparkapplication.sparkoperator.k8s.io/a\nsparkapplication.sparkoperator.k8s.io/c\n' });
    expect(JSON.parse((await create(several, ['-o', 'json'], refusing())).stdout)).toMatchObject({ kind: 'List', items: [{ metadata: { name: 'a' } }, { metadata: { name: 'c' } }] });
  });

  test('also if the connection is lost in between', async () => {
    const cluster = new FakeCluster();
    const { client } = cluster;
    const createdOrLost = async (resource: any, object: any) => {
      if (object.metadata.name === 'b') throw new NetworkError({ verb: 'create', resource: 'sparkapplications' }, 'ECONNRESET', 'socket hang up');
      return client.create(resource, object);
    };
    expect(await create(several, ['-o', 'name'], { client: { ...client, create: createdOrLost } as typeof client })).toMatchObject({ code: 1, stdout: 'sparkapplication.sparkoperator.k8s.io/a\n', stderr: [expect.stringContaining('socket hang up')] });
  });
});

test('--wait: does not wait for a suspended application', async () => {
  const suspended = await create(manifest({ spec: '  suspend: true\n' }), ['--wait'], new FakeCluster());
  expect(suspended).toMatchObject({
    code: 1, stdout: 'SparkApplication jobs/pi created\n',
    stderr: ['✗ SparkApplication jobs/pi is suspended, so --wait does not wait for it; `sparkctl resume pi -n jobs --wait` runs it'],
  });
});

test('-f names a file, as with kubectl', async () => {
  const { code, stdout } = await sparkctl(['create', '-f', 'a.yaml', '--filename=b.yaml', '--dry-run=client', '-o', 'name'], { files: { 'a.yaml': manifest(), 'b.yaml': manifest({ name: 'etl' }) } });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'sparkapplication.sparkoperator.k8s.io/pi\nsparkapplication.sparkoperator.k8s.io/etl\n' });
  const named = await sparkctl(['create', 'a.yaml', '--from=schedule/nightly'], { cluster: new FakeCluster() });
  expect(named).toMatchObject({ code: 2, stderr: ['sparkctl create: --from=schedule/nightly: a.yaml is a file, and --from replaces FILE; write a NAME, or omit one of them', expect.anything()] });
  expect(await sparkctl(['create', '-f', 'a.yaml', '--from=schedule/nightly'])).toMatchObject({ code: 2, stderr: ['sparkctl create: --from replaces FILE; omit one of them', expect.anything()] });
});
