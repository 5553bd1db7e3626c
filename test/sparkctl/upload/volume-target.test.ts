/* Uploads to a volume, with a local folder as the volume and this machine as the pod. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { FakeKubelet } from './helpers/kubelet';
import { execute } from '../../../src/sparkctl/upload/volume/exec';
import { BEGIN, STORE } from '../../../src/sparkctl/upload/volume/store';

const folder = mkdtempSync(join(tmpdir(), 'volume-'));
const POD = { namespace: 'jobs', name: 'sparkctl-upload-1' };
let kubelet: FakeKubelet;

beforeAll(async () => { kubelet = await FakeKubelet.start(); });
afterAll(async () => {
  await kubelet.stop();
  rmSync(folder, { recursive: true });
});

interface Given {
  readonly pod?: typeof POD;
  readonly signal?: AbortSignal;
  readonly onSent?: (bytes: number) => void;
}

function store(name: string, content: Buffer, { pod = POD, signal = new AbortController().signal, onSent = () => {} }: Given = {}) {
  return execute(kubelet.connection, pod, {
    container: 'upload',
    command: ['sh', '-c', STORE, 'sh', join(folder, name), String(content.length), createHash('sha256').update(content).digest('hex')],
    input: { begin: BEGIN, open: () => Readable.from(chunks(content)), onSent },
    signal,
  });
}

function *chunks(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length; start += 64 * 1024) yield content.subarray(start, start + 64 * 1024);
}

test('files arrive unchanged, one connection for each', async () => {
  const content = randomBytes(3_000_000);
  const sent: number[] = [];
  expect(await store('a b/x.jar', content, { onSent: (bytes) => sent.push(bytes) })).toEqual({ stdout: 'sparkctl:begin\nsparkctl:stored\n', stderr: '', failure: undefined });
  expect(readFileSync(join(folder, 'a b/x.jar')).equals(content)).toBe(true);
  expect(sent.at(-1)).toBe(content.length);
  expect(await store('a b/x.jar', content)).toMatchObject({ stdout: 'sparkctl:present\n', failure: undefined });
  expect(kubelet.asked.at(-1)).toBe('/api/v1/namespaces/jobs/pods/sparkctl-upload-1/exec');
});

test('a broken connection is a NetworkError, and no partial file is visible', async () => {
  kubelet.treatments = [{ cutAfter: 1_000_000 }];
  await expect(store('broken/x.jar', randomBytes(3_000_000))).rejects.toMatchObject({ name: 'NetworkError', code: 'CUT_OFF' });
  expect(readdirSync(join(folder, 'broken')).filter((name) => !name.includes('.part.'))).toEqual([]);
  expect(await store('broken/x.jar', Buffer.from('x'))).toMatchObject({ failure: undefined });
});

test('returns the output of a failed command', async () => {
  writeFileSync(join(folder, 'file'), '');
  expect(await store('file/x.jar', Buffer.from('x'))).toMatchObject({ stderr: expect.stringMatching(/mkdir: .*(Not a directory|File exists)/), failure: 'command terminated with exit code 1' });
});

test('a rejected request is an ApiError', async () => {
  await expect(store('x', Buffer.from('x'), { pod: { namespace: 'jobs', name: 'forbidden' } })).rejects.toMatchObject({ name: 'ApiError', status: 403, reason: 'Forbidden', call: { resource: 'pods/exec' } });
});

test('rejects immediately when the signal is aborted', async () => {
  const user = new AbortController();
  await expect(store('interrupted/x.jar', randomBytes(3_000_000), { signal: user.signal, onSent: () => user.abort(new Error('enough')) })).rejects.toThrow('enough');
});
