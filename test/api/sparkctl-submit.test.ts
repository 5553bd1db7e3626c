/* The bundled `sparkctl submit` with a real API server, and uploads to a real server of Google Cloud Storage. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './helpers/until';
import { GcsServer } from '../helpers/gcs-server';
import { install, type Installation } from '../helpers/installation';
import { get, kubectl, list } from '../helpers/kubectl';
import { BrokenLine } from '../helpers/s3-server';
import { runSparkctl, type SparkctlOptions } from '../helpers/sparkctl-process';

const MEBIBYTE = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'sparkctl-submit-'));
let installation: Installation;
let jobs: string;
let gcs: GcsServer;

beforeAll(async () => {
  [installation, gcs] = await Promise.all([install('sparkctl-submit'), GcsServer.start(process.env.GCS_SERVER)]);
  ({ jobs } = installation);
  await gcs.createBucket('jobs');
});

afterAll(async () => {
  await gcs?.stop();
  await installation?.remove();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const submit = (name: string, words: readonly string[], { environment, ...more }: SparkctlOptions = {}) => runSparkctl([
  'submit', '-n', jobs, '--application', name, '--name', name, '--conf', 'spark.kubernetes.container.image=apache/spark:4.1.1', ...words,
], { environment: { STORAGE_EMULATOR_HOST: gcs.endpoint, ...environment }, ...more });

const exists = async (name: string) => (await list(jobs, 'sparkapplications')).some(({ metadata }) => metadata.name === name);
const specOf = async (name: string) => (await get(jobs, 'sparkapplication', name)).spec;
const objectOf = (uri: string) => decodeURIComponent(uri.replace('gs://jobs/', ''));

/** Acts as the operator. */
function setStatus(name: string, status: object): Promise<string> {
  return kubectl(['patch', 'sparkapplication', name, '-n', jobs, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: { driverInfo: {}, ...status } })]);
}

describe('the end', () => {
  test.each([
    [42, { applicationState: { state: 'FAILED', errorMessage: 'driver container failed with ExitCode: 42, Reason: Error' } }],
    [0, { applicationState: { state: 'COMPLETED' } }],
  ])('the exit code is that of the driver: %d', async (code, status) => {
    const name = `ends-${code}`;
    const done = submit(name, ['local:///opt/spark/pi.py', '10', '--executor-memory']);
    await until(() => exists(name));
    expect(await specOf(name)).toMatchObject({ arguments: ['10', '--executor-memory'], executor: { instances: 2 } });
    await setStatus(name, status);
    expect(await done).toMatchObject({ code, stdout: `SparkApplication ${jobs}/${name} created\n` });
  });

  test('--no-wait', async () => {
    expect(await submit('begins', ['--no-wait', 'local:///opt/spark/pi.py'])).toEqual({ code: 0, stdout: `SparkApplication ${jobs}/begins created\n`, stderr: '' });
  });
});

test('the master must be the server of the kubeconfig', async () => {
  expect(await submit('elsewhere', ['--master', 'k8s://https://elsewhere.example', '--no-wait', 'local:///a.py'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/--master k8s:\/\/https:\/\/elsewhere\.example is not the server of the kubeconfig's context/) });
  expect(await exists('elsewhere')).toBe(false);
});

describe('uploads to Google Cloud Storage', () => {
  test.each(['etl.py', 'my program.py', '50%25 ä ö#1+2.py'])('%s arrives under its name, and is sent only once', async (fileName) => {
    const name = `gcs-${Buffer.from(fileName).toString('hex').slice(0, 20)}`;
    const path = file(fileName, `print(${JSON.stringify(fileName)})\n`);
    expect(await submit(name, ['--no-wait', '--upload-to=gs://jobs/programs', path])).toMatchObject({ code: 0, stderr: expect.stringContaining(`${path} uploaded (`) });
    const object = objectOf((await specOf(name)).mainApplicationFile);
    expect(object).toMatch(/^programs\/[0-9a-f]{32}\//);
    expect(object.slice(object.lastIndexOf('/') + 1)).toBe(fileName);
    expect(String(await gcs.read('jobs', object))).toBe(`print(${JSON.stringify(fileName)})\n`);
    expect(await submit(`${name}-again`, ['--no-wait', '--upload-to=gs://jobs/programs', path])).toMatchObject({ code: 0, stderr: expect.stringContaining(`${path} already exists: gs://jobs/programs/`) });
  });

  test('an empty file', async () => {
    const path = file('empty.py', '');
    expect(await submit('gcs-empty', ['--no-wait', '--upload-to=gs://jobs', path])).toMatchObject({ code: 0 });
    expect((await gcs.read('jobs', objectOf((await specOf('gcs-empty')).mainApplicationFile)))?.length).toBe(0);
  });

  test('sends a large file in parts, across broken connections', async () => {
    const content = randomBytes(40 * MEBIBYTE);
    let isCut = false;
    let line: BrokenLine | undefined;
    const server = await GcsServer.start(process.env.GCS_SERVER, async (endpoint) => {
      line = await BrokenLine.to(endpoint, (bytes) => {
        if (isCut || bytes < 20 * MEBIBYTE) return undefined;
        isCut = true;
        return 'cut';
      });
      return line.endpoint;
    });
    try {
      await server.createBucket('jobs');
      const path = file('large.py', content);
      expect(await submit('gcs-large', ['--no-wait', '--upload-to=gs://jobs', path], { environment: { STORAGE_EMULATOR_HOST: line!.endpoint } })).toMatchObject({ code: 0, stderr: expect.stringContaining('large.py uploaded (40.0 MiB)') });
      expect(isCut).toBe(true);
      expect((await server.read('jobs', objectOf((await specOf('gcs-large')).mainApplicationFile)))?.equals(content)).toBe(true);
    } finally {
      await line?.close();
      await server.stop();
    }
  });

  test('no such bucket: the message names the remedy, and nothing is created', async () => {
    const before = await gcs.names('jobs');
    const { code, stderr } = await submit('gcs-refused', ['--no-wait', '--upload-to=gs://no-such-bucket', file('refused.py', 'print(1)\n')]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/refused\.py could not be uploaded to gs:\/\/no-such-bucket: .*; create the bucket no-such-bucket, or name another one in --upload-to/) });
    expect(await exists('gcs-refused')).toBe(false);
    expect(await gcs.names('jobs')).toEqual(before);
  });
});
