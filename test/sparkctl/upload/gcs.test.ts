/* Credentials and requests of uploads to Google Cloud Storage. test/api has a test with a real server. */
import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { contentOf } from '../../../src/sparkctl/upload/content';
import { googleToken } from '../../../src/sparkctl/upload/gcs/credentials';
import { gcsTarget } from '../../../src/sparkctl/upload/gcs/target';
import { ManualClock } from '../../kube/helpers/manual-clock';

const folder = mkdtempSync(join(tmpdir(), 'gcs-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('credentials', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } });
  const KEY = JSON.stringify({ type: 'service_account', client_email: 'jobs@example.iam', private_key: privateKey, token_uri: 'https://oauth.example/token' });
  const USER = JSON.stringify({ type: 'authorized_user', client_id: 'id', client_secret: 's3cr3t', refresh_token: 'r' });

  /** Tokens for some files and variables. `answer` is that of all servers. */
  async function tokens(environment: Record<string, string>, files: Record<string, string>, answer: object | Error = { access_token: 'TOKEN', expires_in: 3600 }) {
    const asked: { readonly url: string; readonly init: RequestInit }[] = [];
    const clock = { now: Date.parse('2026-03-01T12:00:00Z') };
    const token = await googleToken({ environment, home: '/home/me', readFile: async (path) => files[path] }, {
      now: () => clock.now,
      fetch: (async (url: string, init: RequestInit) => {
        asked.push({ url, init });
        if (answer instanceof Error) throw answer;
        return Response.json(answer);
      }) as typeof fetch,
    });
    return { token, asked, clock };
  }

  test('a service account signs its request', async () => {
    const { token, asked, clock } = await tokens({ GOOGLE_APPLICATION_CREDENTIALS: '/key.json' }, { '/key.json': KEY });
    expect([await token(), await token(), asked.length]).toEqual(['TOKEN', 'TOKEN', 1]);
    const assertion = (asked[0]!.init.body as URLSearchParams).get('assertion')!;
    const [header, claims, signature] = assertion.split('.') as [string, string, string];
    expect(createVerify('RSA-SHA256').update(`${header}.${claims}`).verify(publicKey, signature, 'base64url')).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      iss: 'jobs@example.iam', scope: 'https://www.googleapis.com/auth/devstorage.read_write', aud: 'https://oauth.example/token', iat: 1772366400, exp: 1772370000,
    });
    // A token is replaced before its end.
    clock.now += 3_590_000;
    await token();
    expect(asked).toHaveLength(2);
  });

  test.each<[string, Record<string, string>, Record<string, string>, string | undefined, string[]]>([
    ['a token in a variable', { GOOGLE_OAUTH_ACCESS_TOKEN: 'GIVEN', GOOGLE_APPLICATION_CREDENTIALS: '/key.json' }, { '/key.json': KEY }, 'GIVEN', []],
    ['the login of gcloud', {}, { '/home/me/.config/gcloud/application_default_credentials.json': USER }, 'TOKEN', ['https://oauth2.googleapis.com/token']],
    ['the metadata server', {}, {}, 'TOKEN', ['http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token']],
    ['no token for an emulator', { STORAGE_EMULATOR_HOST: 'localhost:1', GOOGLE_APPLICATION_CREDENTIALS: '/key.json' }, { '/key.json': KEY }, undefined, []],
  ])('%s', async (_, environment, files, expected, urls) => {
    const { token, asked } = await tokens(environment, files);
    expect(await token()).toBe(expected);
    expect(asked.map(({ url }) => url)).toEqual(urls);
  });

  test.each<[string, Record<string, string>, Record<string, string>, object | Error, string | RegExp]>([
    ['no credentials', {}, {}, new Error('timeout'), /^there are no credentials for the upload; set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service account/],
    ['no file', { GOOGLE_APPLICATION_CREDENTIALS: '/key.json' }, {}, {}, 'GOOGLE_APPLICATION_CREDENTIALS names /key.json, which cannot be read; check the path and its permissions'],
    ['no JSON', { GOOGLE_APPLICATION_CREDENTIALS: '/key.json' }, { '/key.json': '{"private_key": "s3cr3t' }, {}, '/key.json is not the JSON of a key; download the key again'],
    ['another type', { GOOGLE_APPLICATION_CREDENTIALS: '/key.json' }, { '/key.json': '{"type": "external_account"}' }, {}, /type external_account, which sparkctl does not support; set GOOGLE_OAUTH_ACCESS_TOKEN=/],
    ['a wrong key', { GOOGLE_APPLICATION_CREDENTIALS: '/key.json' }, { '/key.json': '{"type": "service_account", "private_key": "s3cr3t"}' }, {}, '/key.json has no valid private_key; download the key again'],
    ['a refusal', { GOOGLE_APPLICATION_CREDENTIALS: '/key.json' }, { '/key.json': KEY }, { error: 'invalid_grant', error_description: 'Invalid JWT' }, /^https:\/\/oauth\.example\/token gives no token for \/key\.json: Invalid JWT; check the key and the clock/],
  ])('reports %s', async (_, environment, files, answer, message) => {
    await expect((async () => (await tokens(environment, files, answer)).token())()).rejects.toThrow(message);
  });
});

describe('uploads', () => {
  const PART = 16 * 1024 * 1024;
  const clock = new ManualClock();
  let server: Server;
  let url: string;
  /** Requests, as `METHOD path range`. */
  let requests: string[];
  /** Answers to the next requests with a body; `cut` breaks the connection. @default - accepted */
  let next: ('cut' | number)[];
  let stored: Buffer;
  let existing: object | undefined;
  /** Body of an answer in `next`. */
  let page: string;
  /** Descriptions of the next objects. @default - without size and hash */
  let described: object[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      void answer(request).then(([status, headers, body]) => response.writeHead(status, headers).end(body), () => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    [requests, next, stored, existing, described, page] = [[], [], Buffer.alloc(0), undefined, [], '{"error": {"message": "no"}}'];
  });

  async function answer(request: IncomingMessage): Promise<[number, Record<string, string>, string]> {
    const range = request.headers['content-range'];
    requests.push([request.method, request.url!.replace(/\?.*/, ''), range].filter(Boolean).join(' '));
    if (request.method === 'GET') return existing ? [200, {}, JSON.stringify(existing)] : [404, {}, '{"error": {"message": "Not Found"}}'];
    const outcome = request.method === 'PUT' && !range?.startsWith('bytes */') ? next.shift() : undefined;
    if (outcome === 'cut') throw new Error();
    const body = await buffer(request);
    if (outcome !== undefined) return [outcome, {}, page];
    if (request.method === 'POST') {
      stored = Buffer.alloc(0);
      return [200, { location: `${url}/session/1` }, ''];
    }
    const [, total] = /\/(\d+)$/.exec(range!)!;
    stored = Buffer.concat([stored, body]);
    return stored.length === Number(total) ? [200, {}, JSON.stringify(described.shift() ?? {})] : [308, stored.length > 0 ? { range: `bytes=0-${stored.length - 1}` } : {}, ''];
  }

  async function upload(content: Buffer) {
    const path = join(folder, 'my program.py');
    writeFileSync(path, content);
    const target = gcsTarget({ bucket: 'jobs', prefix: 'etl' }, { token: async () => undefined, emulator: url }, clock, () => 0);
    const file = await contentOf(path);
    const sent: number[] = [];
    const done = target.upload(file, (bytes) => sent.push(bytes), new AbortController().signal);
    const ended = done.then(() => true, () => true);
    // Pauses between attempts take no time.
    while (!await Promise.race([ended, new Promise<false>((resolve) => setTimeout(() => resolve(false), 20))])) await clock.advanceAsync(10_000);
    await target.close();
    return { outcome: await done, uri: target.uriOf(file), last: sent.at(-1) };
  }

  const OBJECT = '/storage/v1/b/jobs/o/etl%2F';

  test('a small file', async () => {
    const { outcome, uri, last } = await upload(Buffer.from('print(1)\n'));
    expect({ outcome, last, stored: stored.toString() }).toEqual({ outcome: 'uploaded', last: 9, stored: 'print(1)\n' });
    expect(uri).toMatch(/^gs:\/\/jobs\/etl\/[0-9a-f]{32}\/my%20program\.py$/);
    expect(requests).toEqual([expect.stringMatching(`^GET ${OBJECT}[0-9a-f]{32}%2Fmy%20program\\.py$`), 'POST /upload/storage/v1/b/jobs/o', 'PUT /session/1 bytes 0-8/9']);
  });

  test('an empty file', async () => {
    expect(await upload(Buffer.alloc(0))).toMatchObject({ outcome: 'uploaded' });
    expect(requests.at(-1)).toBe('PUT /session/1 bytes */0');
  });

  test('does not send a file that exists', async () => {
    const content = Buffer.from('print(1)\n');
    existing = { size: '9', md5Hash: createHash('md5').update(content).digest('base64') };
    expect(await upload(content)).toMatchObject({ outcome: 'present', last: 9 });
    expect(requests).toHaveLength(1);
    existing = { size: '9', md5Hash: 'other' };
    expect(await upload(content)).toMatchObject({ outcome: 'uploaded' });
  });

  test('a large file in parts; after a lost connection it continues with what has not arrived', async () => {
    next = [undefined as never, 'cut'];
    const content = Buffer.alloc(40 * 1024 * 1024, 'x');
    expect(await upload(content)).toMatchObject({ outcome: 'uploaded', last: content.length });
    expect(stored.equals(content)).toBe(true);
    const total = content.length;
    const second = `PUT /session/1 bytes ${PART}-${2 * PART - 1}/${total}`;
    expect(requests.slice(2)).toEqual([`PUT /session/1 bytes 0-${PART - 1}/${total}`, second, `PUT /session/1 bytes */${total}`, second, `PUT /session/1 bytes ${2 * PART}-${total - 1}/${total}`]);
  });

  test('sends the file again if another content has arrived', async () => {
    existing = undefined;
    described = [{ size: '3' }, { size: '9' }];
    expect(await upload(Buffer.from('print(1)\n'))).toMatchObject({ outcome: 'uploaded' });
    expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(2);
    described = [{ md5Hash: 'other' }, { md5Hash: 'other' }];
    await expect(upload(Buffer.from('print(1)\n'))).rejects.toThrow(/the MD5 hash of the object is not that of the file; the file changed during the upload: try again$/);
  });

  test('gives up on a server that keeps no part', async () => {
    next = Array.from({ length: 50 }, () => 308);
    await expect(upload(Buffer.from('x'))).rejects.toThrow(/the server has kept nothing of a part of the file; try again$/);
    expect(requests.filter((request) => request.startsWith('PUT')).length).toBeLessThan(20);
  });

  test('an answer that is not of the server, such as a page of a proxy', async () => {
    next = [200];
    page = '<html>Please log in</html>';
    await expect(upload(Buffer.from('x'))).rejects.toThrow(/the server answered 200; try again$/);
  });

  test.each([
    [403, /my program\.py could not be uploaded to gs:\/\/jobs: no; these credentials cannot write to jobs: they need storage\.objects\.create/],
    [401, /the token is not, or no longer, valid/],
    [404, /create the bucket jobs, or name another one in --upload-to/],
  ])('reports %s', async (status, message) => {
    next = [status];
    await expect(upload(Buffer.from('x'))).rejects.toThrow(message);
  });
});
