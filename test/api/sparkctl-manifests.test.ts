/*
 * The bundled commands validate, apply and create with a real API server, and uploads to a real S3
 * server.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrokenLine, KEYS, S3Server } from '../helpers/s3-server';
import { until } from './helpers/until';
import { install, type Installation } from '../helpers/installation';
import { get, kubectl, list, SOON } from '../helpers/kubectl';
import { runSparkctl, type SparkctlOptions } from '../helpers/sparkctl-process';
import type { Bucket } from '../../src/sparkctl/upload/s3/request';
import { elementIn } from '../../src/sparkctl/upload/s3/xml';

const folder = mkdtempSync(join(tmpdir(), 'sparkctl-manifests-'));
let installation: Installation;
let jobs: string;
let s3: S3Server;
let bucket: Bucket;

beforeAll(async () => {
  [installation, s3] = await Promise.all([install('sparkctl-manifests'), S3Server.start(process.env.S3_SERVER)]);
  ({ jobs } = installation);
  bucket = s3.bucket('jobs');
  await bucket.send({ method: 'PUT', key: '' });
});

afterAll(async () => {
  bucket?.close();
  await s3?.stop();
  await installation?.remove();
  rmSync(folder, { recursive: true });
});

function manifest(name: string, { file = 'local:///opt/spark/pi.py', instances = 1 } = {}): string {
  return JSON.stringify({
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name },
    spec: { type: 'Python', sparkVersion: '4.1.1', image: 'apache/spark:4.1.1', mainApplicationFile: file, driver: {}, executor: { instances } },
  });
}

const SCHEDULE = (name: string) => JSON.stringify({
  apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', metadata: { name }, spec: { schedule: '@daily', template: JSON.parse(manifest('x')).spec },
});

const sparkctl = (command: string, input: string, options: readonly string[] = [], more: SparkctlOptions = {}) => runSparkctl([command, '-', '-n', jobs, ...options], { input, ...more });

/** Acts as the operator. */
function setState(name: string, state: string): Promise<string> {
  return kubectl(['patch', 'sparkapplication', name, '-n', jobs, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: { driverInfo: {}, applicationState: { state, ...(state === 'FAILED' && { errorMessage: 'driver container failed with 137' }) } } })]);
}

describe('apply', () => {
  test('prints created, unchanged or configured; a dry run prints the same without changes', async () => {
    const both = (instances: number) => `${manifest('applied', { instances })}\n---\n${SCHEDULE('applied-nightly')}`;
    const lines = (first: string, second: string, suffix = '') => `SparkApplication ${jobs}/applied ${first}${suffix}\nScheduledSparkApplication ${jobs}/applied-nightly ${second}${suffix}\n`;
    expect(await sparkctl('apply', both(1), ['--dry-run=server'])).toEqual({ code: 0, stdout: lines('created', 'created', ' (server dry run)'), stderr: '' });
    expect(await sparkctl('apply', both(1), ['--dry-run=client'])).toEqual({ code: 0, stdout: 'SparkApplication applied checked (client dry run)\nScheduledSparkApplication applied-nightly checked (client dry run)\n', stderr: '' });
    expect(await list(jobs, 'sparkapplications')).toEqual([]);
    expect(await sparkctl('apply', both(1))).toEqual({ code: 0, stdout: lines('created', 'created'), stderr: '' });
    expect(await sparkctl('apply', both(1))).toEqual({ code: 0, stdout: lines('unchanged', 'unchanged'), stderr: '' });
    expect(await sparkctl('apply', both(2), ['--dry-run=server'])).toEqual({ code: 0, stdout: lines('configured', 'unchanged', ' (server dry run)'), stderr: '' });
    expect(await sparkctl('apply', both(2))).toEqual({ code: 0, stdout: lines('configured', 'unchanged'), stderr: '' });
    expect((await get(jobs, 'sparkapplication', 'applied')).spec.executor.instances).toBe(2);
  });

  test('sends nothing if a file has an error', async () => {
    const { code, stderr } = await sparkctl('apply', `${manifest('sound')}\n---\n${manifest('unsound').replace('"Python"', '"Pyhton"')}`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/SparkApplication unsound: spec\.type = "Pyhton" must be one of .*\nNothing was sent to the cluster\.\n$/) });
    expect((await list(jobs, 'sparkapplications')).map(({ metadata }) => metadata.name)).not.toContain('sound');
  });

  test('fields of other managers stay theirs until they are taken over', async () => {
    await kubectl(['apply', '-n', jobs, '-f', '-'], manifest('contested'));
    const refused = await sparkctl('apply', manifest('contested', { instances: 3 }));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/SparkApplication contested: .*spec\.executor\.instances is managed by "kubectl.*"\n.*, or take it over with --force-conflicts\n$/) });
    expect(await sparkctl('apply', manifest('contested', { instances: 3 }), ['--force-conflicts'])).toMatchObject({ code: 0, stdout: expect.stringContaining('contested configured') });
  });

  test('--wait: the exit code shows the outcome', async () => {
    const done = sparkctl('apply', manifest('awaited'), ['--wait', '--timeout=180s']);
    await kubectl(['wait', '--for=create', 'sparkapplication/awaited', '-n', jobs, `--timeout=${SOON}s`]);
    await setState('awaited', 'RUNNING');
    await setState('awaited', 'FAILED');
    expect(await done).toMatchObject({ code: 1, stderr: expect.stringMatching(/jobs\/awaited FAILED\n✗ SparkApplication .*jobs\/awaited is FAILED\. .*driver container failed with 137/) });
  });
});

describe('validate', () => {
  test('--server reports errors that only the cluster finds', async () => {
    expect(await sparkctl('validate', manifest('anything'), ['--server'])).toEqual({ code: 0, stdout: '1 checked: no errors.\n', stderr: '' });
    const { code, stderr } = await runSparkctl(['validate', '-', '-n', 'no-such-namespace', '--server'], { input: manifest('anything') });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^<stdin>:1:1: error: SparkApplication anything: the cluster rejects it: create sparkapplications no-such-namespace\/anything: 404 NotFound: namespaces "no-such-namespace" not found/) });
  });

  test('the API server and validate both accept pod templates of a server with container fields', async () => {
    const hardened = readFileSync(join(__dirname, '../fixtures/connect/container-fields-of-pod.yaml'), 'utf8');
    await kubectl(['apply', '-n', jobs, '-f', '-'], hardened);
    expect(await sparkctl('validate', hardened, ['--server'])).toMatchObject({ code: 0, stdout: '1 checked: no errors.\n' });
  });
});

describe('create', () => {
  test('an existing application is an error without --delete-if-exists; a deletion during --wait has its own exit code', async () => {
    expect(await sparkctl('create', manifest('once'))).toEqual({ code: 0, stdout: `SparkApplication ${jobs}/once created\n`, stderr: '' });
    const { uid } = (await get(jobs, 'sparkapplication', 'once')).metadata;
    expect(await sparkctl('create', manifest('once'))).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`SparkApplication ${jobs}/once already exists`) });

    const done = sparkctl('create', manifest('once'), ['--delete-if-exists', '--wait', '-o', 'name']);
    await until(async () => (await list(jobs, 'sparkapplications')).some(({ metadata }) => metadata.name === 'once' && metadata.uid !== uid));
    await kubectl(['delete', 'sparkapplication', 'once', '-n', jobs]);
    expect(await done).toMatchObject({ code: 4, stdout: 'sparkapplication.sparkoperator.k8s.io/once\n', stderr: expect.stringMatching(/jobs\/once deleted\n✗ SparkApplication .*jobs\/once was deleted/) });
  });

  test('applying the edited file has no conflict, and removes fields that it does not contain any more', async () => {
    const file = (instances: number, more: object = {}) => {
      const { spec, ...object } = JSON.parse(manifest('edited', { instances }));
      return JSON.stringify({ ...object, spec: { ...spec, ...more } });
    };
    expect(await sparkctl('create', file(1, { arguments: ['10'], timeToLiveSeconds: 60 }))).toMatchObject({ code: 0 });
    await setState('edited', 'RUNNING'); // another manager, as the operator is one
    const difference = await sparkctl('diff', file(1));
    expect(difference).toMatchObject({ code: 1, stderr: '' });
    expect(difference.stdout.split('\n').filter((line) => /^[-+] /.test(line)).sort()).toEqual(['-  arguments:', '-    - "10"', '-  timeToLiveSeconds: 60'].sort());
    expect(await sparkctl('apply', file(2), ['--dry-run=server'])).toEqual({ code: 0, stdout: `SparkApplication ${jobs}/edited configured (server dry run)\n`, stderr: '' });
    expect(await sparkctl('apply', file(2, { arguments: ['20'] }))).toEqual({ code: 0, stdout: `SparkApplication ${jobs}/edited configured\n`, stderr: '' });
    const { spec } = await get(jobs, 'sparkapplication', 'edited');
    expect({ instances: spec.executor.instances, arguments: spec.arguments, ttl: spec.timeToLiveSeconds }).toEqual({ instances: 2, arguments: ['20'], ttl: undefined });
    expect(await sparkctl('apply', file(3))).toMatchObject({ code: 0 });
    expect(await sparkctl('diff', file(3))).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('apply names the manager of fields that edit and rerun have changed', async () => {
    expect(await sparkctl('create', manifest('changed'))).toMatchObject({ code: 0 });
    expect(await runSparkctl(['rerun', 'changed', '-n', jobs, '--override=executor.instances=4'])).toMatchObject({ code: 0, stdout: expect.stringContaining('spec.executor.instances: 4 (before: 1)') });
    const refused = await sparkctl('apply', manifest('changed', { instances: 2 }));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^<stdin>:1:\d+: error: .*spec\.executor\.instances is managed by "sparkctl-rerun"\n.*--force-conflicts\n$/) });
    expect(await sparkctl('diff', manifest('changed', { instances: 2 }))).toMatchObject({ code: 2, stderr: expect.stringContaining('is managed by "sparkctl-rerun"') });
    const forced = await sparkctl('diff', manifest('changed', { instances: 2 }), ['--force-conflicts']);
    expect(forced).toMatchObject({ code: 1, stdout: expect.stringContaining('-    instances: 4\n+    instances: 2\n') });
  });

  test('edit sends the changed fields, and keeps a text that the cluster rejects', async () => {
    expect(await sparkctl('create', manifest('by-hand'))).toMatchObject({ code: 0 });
    const edit = (expression: string) => runSparkctl(['edit', 'by-hand', '-n', jobs], { environment: { KUBE_EDITOR: `sed -i ${expression}` } });
    expect(await edit('s/instances:.1/instances:\\x205/')).toEqual({ code: 0, stdout: `SparkApplication ${jobs}/by-hand edited\n`, stderr: '' });
    expect((await get(jobs, 'sparkapplication', 'by-hand')).spec.executor.instances).toBe(5);
    expect(await edit('s/absent/x/')).toEqual({ code: 0, stdout: '', stderr: `SparkApplication ${jobs}/by-hand: no changes\n` });
    expect(await edit('s/Python/Pyhton/')).toMatchObject({ code: 1, stderr: expect.stringMatching(/spec\.type = "Pyhton" must be one of .*\nThe edited text is in .*by-hand\.yaml\n$/) });
  });

  test('applying the edited file does not resume a suspended application', async () => {
    expect(await sparkctl('create', manifest('edited-suspended'))).toMatchObject({ code: 0 });
    expect(await runSparkctl(['suspend', 'edited-suspended', '-n', jobs])).toMatchObject({ code: 0 });
    expect(await sparkctl('apply', manifest('edited-suspended', { instances: 2 }))).toMatchObject({ code: 0 });
    expect((await get(jobs, 'sparkapplication', 'edited-suspended')).spec).toMatchObject({ suspend: true, executor: { instances: 2 } });
  });

  test('applying the same file does not stop a rerun', async () => {
    expect(await sparkctl('create', manifest('run-twice'))).toMatchObject({ code: 0 });
    expect(await runSparkctl(['rerun', 'run-twice', '-n', jobs])).toMatchObject({ code: 0 });
    const before = await get(jobs, 'sparkapplication', 'run-twice');
    expect(await sparkctl('diff', manifest('run-twice'))).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await sparkctl('apply', manifest('run-twice'))).toEqual({ code: 0, stdout: `SparkApplication ${jobs}/run-twice unchanged\n`, stderr: '' });
    const { metadata, spec } = await get(jobs, 'sparkapplication', 'run-twice');
    expect({ spec, generation: metadata.generation }).toEqual({ spec: before.spec, generation: before.metadata.generation });
  });

  test('`kubectl apply` also accepts the edited file', async () => {
    expect(await sparkctl('create', manifest('edited-kubectl'))).toMatchObject({ code: 0 });
    await kubectl(['apply', '-n', jobs, '-f', '-'], manifest('edited-kubectl', { instances: 2 }));
    expect((await get(jobs, 'sparkapplication', 'edited-kubectl')).spec.executor.instances).toBe(2);
  });

  test('from a schedule', async () => {
    await sparkctl('apply', SCHEDULE('source'));
    expect(await runSparkctl(['create', 'backfill', '--from=schedule/source', '-n', jobs, '--override=arguments[0]=2026-03-01'])).toMatchObject({ code: 0 });
    const { metadata, spec } = await get(jobs, 'sparkapplication', 'backfill');
    expect({ owners: metadata.ownerReferences, arguments: spec.arguments }).toEqual({ owners: undefined, arguments: ['2026-03-01'] });
  });
});

describe('uploads', () => {
  const environment = { AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey };
  const MEBIBYTE = 1024 * 1024;

  function file(name: string, content: string | Buffer): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }

  const create = (name: string, path: string, more: { readonly to?: string; readonly endpoint?: string; readonly options?: readonly string[] } & SparkctlOptions = {}) => (
    sparkctl('create', manifest(name, { file: path }), [`--upload-to=${more.to ?? 's3://jobs/programs'}`, `--upload-endpoint=${more.endpoint ?? s3.endpoint}`, ...more.options ?? []], { environment, ...more })
  );
  const exists = async (name: string) => (await list(jobs, 'sparkapplications')).some(({ metadata }) => metadata.name === name);
  const keyOf = async (name: string) => decodeURIComponent((await get(jobs, 'sparkapplication', name)).spec.mainApplicationFile.replace('s3a://jobs/', ''));
  const uploadsLeft = async () => (await bucket.send({ method: 'GET', key: '', query: { uploads: '' } })).text.match(/<Upload>/g) ?? [];

  test.each(['etl.py', 'my program.py', 'a+b=c&d.py', '50%25 ä ö#1.py', "it's (new), really!.py"])('%s arrives under its name, and is sent only once', async (fileName) => {
    const name = `upload-${createHash('sha256').update(fileName).digest('hex').slice(0, 8)}`;
    const path = file(fileName, `print(${JSON.stringify(fileName)})\n`);
    const { code, stdout, stderr } = await create(name, path);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `SparkApplication ${jobs}/${name} created\n` });
    expect(stderr).toContain(`${path} uploaded (`);
    const key = await keyOf(name);
    expect(key).toMatch(/^programs\/[0-9a-f]{32}\//);
    expect(key.slice(key.lastIndexOf('/') + 1)).toBe(fileName);
    expect((await bucket.send({ method: 'GET', key })).text).toBe(`print(${JSON.stringify(fileName)})\n`);

    expect(await create(name, path, { options: ['--delete-if-exists'] })).toMatchObject({ code: 0, stderr: expect.stringContaining(`${path} already exists: s3a://jobs/programs/`) });
  });

  test('sends a large file in parts, across broken connections', async () => {
    const content = randomBytes(40 * MEBIBYTE);
    let isCut = false;
    const line = await BrokenLine.to(s3.endpoint, (bytes) => {
      if (isCut || bytes < 20 * MEBIBYTE) return undefined;
      isCut = true;
      return 'cut';
    });
    try {
      expect(await create('upload-large', file('large.py', content), { endpoint: line.endpoint })).toMatchObject({ code: 0, stderr: expect.stringContaining('large.py uploaded (40.0 MiB)') });
    } finally {
      await line.close();
    }
    expect(isCut).toBe(true);
    const { headers } = await bucket.send({ method: 'HEAD', key: await keyOf('upload-large') });
    expect(headers['content-length']).toBe(String(content.length));
    expect(headers.etag).toMatch(/-3"?$/);
    expect(await uploadsLeft()).toEqual([]);
  });

  test('an interrupted upload leaves no objects in the bucket and the cluster', async () => {
    const user = new AbortController();
    let stuck = 0;
    // Current requests hang; later ones succeed, as the upload must be aborted.
    const line = await BrokenLine.to(s3.endpoint, (bytes, connection) => {
      if (bytes > 10 * MEBIBYTE && !user.signal.aborted) {
        stuck = line.connections;
        user.abort();
      }
      return connection <= stuck ? 'stuck' : undefined;
    });
    try {
      expect(await create('upload-interrupted', file('interrupted.py', randomBytes(80 * MEBIBYTE)), { endpoint: line.endpoint, interrupt: user.signal })).toMatchObject({ code: 130, stdout: '' });
    } finally {
      await line.close();
    }
    expect(await exists('upload-interrupted')).toBe(false);
    expect(await uploadsLeft()).toEqual([]);
  });

  test.each([
    ['an unknown key', { environment: { ...environment, AWS_ACCESS_KEY_ID: 'AKNOBODY' } }, /\((InvalidAccessKeyId|XAdminUserNotFound)\); the server does not know this key: check AWS_ACCESS_KEY_ID/],
    ['a wrong secret', { environment: { ...environment, AWS_SECRET_ACCESS_KEY: 'guessed' } }, /\(SignatureDoesNotMatch\); check AWS_SECRET_ACCESS_KEY, or the secret of the profile/],
    ['no such bucket', { to: 's3://no-such-bucket' }, /\(NoSuchBucket\); create the bucket no-such-bucket, or name another one in --upload-to/],
    ['no credentials at all', { environment: {} }, /there are no credentials for the upload; set AWS_ACCESS_KEY_ID/],
  ])('%s: the message names the remedy, and nothing is created', async (_, more, message) => {
    for (const [size, path] of [['small', file('small.py', randomBytes(1_000))], ['large', file('huge.py', randomBytes(20 * MEBIBYTE))]] as const) {
      const { code, stdout, stderr } = await create(`upload-refused-${size}`, path, more);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(message);
      expect(stderr).not.toContain(KEYS.secretAccessKey);
      expect(await exists(`upload-refused-${size}`)).toBe(false);
    }
  });

  test('uploads all files of all applications before it creates the first', async () => {
    const good = manifest('upload-first', { file: file('first.py', 'print(1)\n') });
    const bad = JSON.parse(manifest('upload-second', { file: file('second.py', 'print(2)\n') }));
    const input = `${good}\n---\n${JSON.stringify({ ...bad, spec: { ...bad.spec, deps: { files: [join(folder, 'absent.txt')] } } })}`;
    const { code, stderr } = await sparkctl('create', input, ['--upload-to=s3://jobs', `--upload-endpoint=${s3.endpoint}`], { environment });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/absent\.txt: there is no such file/) });
    expect(await exists('upload-first')).toBe(false);
  });

  test('the server is real: it rejects unsigned requests', async () => {
    const answer = await fetch(`${s3.endpoint}/jobs/programs`, { method: 'PUT', body: 'x' });
    expect([answer.status, elementIn(await answer.text(), 'Code')]).toEqual([403, 'AccessDenied']);
  });
});
