/* Order of requests, and handling of failures. test/api has tests with a real server. */
import { text } from 'node:stream/consumers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentOf, type Content } from '../../../src/sparkctl/upload/content';
import { S3Error } from '../../../src/sparkctl/upload/s3/errors';
import { putFile } from '../../../src/sparkctl/upload/s3/put';
import type { Bucket, S3Request } from '../../../src/sparkctl/upload/s3/request';
import { ManualClock } from '../../kube/helpers/manual-clock';

const folder = mkdtempSync(join(tmpdir(), 'put-'));
afterAll(() => rmSync(folder, { recursive: true }));

const refusal = (status: number, code: string) => S3Error.ofAnswer(status, `<Error><Code>${code}</Code><Message>no</Message></Error>`);
const SILENCE = S3Error.ofNetwork(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }), 'http://s3');

/** Fake bucket with scripted answers; it accepts all other requests. */
function bucketWith(answers: Readonly<Record<string, (readonly (Error | string)[])>>) {
  const calls: string[] = [];
  const left = new Map(Object.entries(answers).map(([call, list]) => [call, [...list]]));
  const bucket: Bucket = {
    async send({ method, query = {}, body, onSent }: S3Request) {
      const call = [method, ...Object.entries(query).map(([name, value]) => (value === '' ? name : `${name}=${value}`))].join(' ');
      calls.push(call);
      const answer = left.get(call)?.shift() ?? (method === 'HEAD' ? refusal(404, '') : call === 'POST uploads' ? '<R><UploadId>a&amp;b</UploadId></R>' : '');
      if (answer instanceof Error) throw answer;
      if (typeof body === 'object') onSent?.(body.size);
      return { status: 200, headers: { 'etag': `"${query.partNumber}"`, 'content-length': method === 'HEAD' ? answer : undefined }, text: typeof body === 'string' && body !== '' ? answer || body : answer };
    },
    close() {},
  };
  return { bucket, calls };
}

async function file(size: number): Promise<Content> {
  const path = join(folder, `${size}`);
  writeFileSync(path, Buffer.alloc(size, 'x'));
  return contentOf(path);
}

async function put({ bucket }: { readonly bucket: Bucket }, content: Content, signal = new AbortController().signal) {
  const clock = new ManualClock();
  const sent: number[] = [];
  const done = putFile(bucket, 'k/a.jar', content, { onSent: (bytes) => sent.push(bytes), signal, clock, random: () => 0 });
  done.catch(() => undefined);
  // Pauses between attempts take no time.
  const ended = done.then(() => true, () => true);
  while (!await Promise.race([ended, clock.advanceAsync(10_000).then(() => false)]));
  return { outcome: await done, sent };
}

test('sends a small file in one request', async () => {
  const world = bucketWith({});
  expect(await put(world, await file(10))).toEqual({ outcome: 'uploaded', sent: [10, 10] });
  expect(world.calls).toEqual(['HEAD', 'PUT']);
});

test('does not send an existing file', async () => {
  const world = bucketWith({ HEAD: ['10'] });
  expect(await put(world, await file(10))).toEqual({ outcome: 'present', sent: [10] });
  expect(world.calls).toEqual(['HEAD']);
});

test('replaces an object of another size', async () => {
  const world = bucketWith({ HEAD: ['9'] });
  expect((await put(world, await file(10))).outcome).toBe('uploaded');
});

test('retries transient errors, and no others', async () => {
  const world = bucketWith({ HEAD: [refusal(503, 'SlowDown')], PUT: [SILENCE, refusal(500, 'InternalError')] });
  await put(world, await file(10));
  expect(world.calls).toEqual(['HEAD', 'HEAD', 'PUT', 'PUT', 'PUT']);

  const refused = bucketWith({ PUT: [refusal(403, 'AccessDenied')] });
  await expect(put(refused, await file(10))).rejects.toMatchObject({ code: 'AccessDenied', message: 'no (AccessDenied)' });
  expect(refused.calls).toEqual(['HEAD', 'PUT']);
});

test('stops after the maximum number of attempts', async () => {
  const world = bucketWith({ PUT: Array<Error>(9).fill(SILENCE) });
  await expect(put(world, await file(10))).rejects.toThrow('no answer from http://s3: socket hang up');
  expect(world.calls.filter((call) => call === 'PUT')).toHaveLength(5);
});

test('sends a large file in parts, and retries a lost one', async () => {
  const content = await file(40 * 1024 * 1024);
  const world = bucketWith({ 'PUT partNumber=2 uploadId=a&b': [SILENCE] });
  const { outcome, sent } = await put(world, content);
  expect(outcome).toBe('uploaded');
  expect(world.calls.slice(0, 2)).toEqual(['HEAD', 'POST uploads']);
  expect(world.calls.slice(2, -1).sort()).toEqual([1, 2, 2, 3].map((part) => `PUT partNumber=${part} uploadId=a&b`));
  expect(world.calls.at(-1)).toBe('POST uploadId=a&b');
  expect(sent.at(-1)).toBe(content.size);
});

test.each([
  ['a part is refused', { 'PUT partNumber=3 uploadId=a&b': [refusal(403, 'AccessDenied')] }],
  ['the end is refused, in an answer of success', { 'POST uploadId=a&b': ['<Error><Code>InvalidPart</Code></Error>'] }],
])('aborts an upload of which %s', async (_, answers) => {
  const world = bucketWith(answers);
  await expect(put(world, await file(40 * 1024 * 1024))).rejects.toBeInstanceOf(S3Error);
  expect(world.calls.at(-1)).toBe('DELETE uploadId=a&b');
});

describe('the end of a large file', () => {
  const END = 'POST uploadId=a&b';
  const GONE = refusal(404, 'NoSuchUpload');

  test('succeeds although its answer was lost', async () => {
    const content = await file(40 * 1024 * 1024);
    const world = bucketWith({ [END]: [SILENCE, GONE], HEAD: [refusal(404, ''), `${content.size}`] });
    expect((await put(world, content)).outcome).toBe('uploaded');
    expect(world.calls.slice(-3)).toEqual([END, END, 'HEAD']);
  });

  test.each([
    ['which never began', [GONE], undefined],
    ['of which nothing has come', [SILENCE, GONE], refusal(404, '')],
    ['of which something else has come', [SILENCE, GONE], '9'],
  ])('fails for an upload %s', async (_, answers, there) => {
    const world = bucketWith({ [END]: answers, HEAD: [refusal(404, ''), ...there === undefined ? [] : [there]] });
    await expect(put(world, await file(40 * 1024 * 1024))).rejects.toMatchObject({ code: 'NoSuchUpload' });
  });

  test('is retried if a response with status 200 contains a transient error', async () => {
    const world = bucketWith({ [END]: ['<Error><Code>InternalError</Code><Message>no</Message></Error>', ''] });
    expect((await put(world, await file(40 * 1024 * 1024))).outcome).toBe('uploaded');
    expect(world.calls.slice(-2)).toEqual([END, END]);
  });
});

test('opens the body for each attempt', async () => {
  const path = join(folder, 'words');
  writeFileSync(path, 'best of both worlds');
  const bodies: string[] = [];
  const { bucket } = bucketWith({});
  const send = async (request: S3Request) => {
    if (typeof request.body !== 'object') return bucket.send(request);
    bodies.push(await text(request.body.open()));
    if (bodies.length === 1) throw SILENCE;
    return bucket.send(request);
  };
  await put({ bucket: { ...bucket, send } }, await contentOf(path));
  expect(bodies).toEqual(['best of both worlds', 'best of both worlds']);
});
