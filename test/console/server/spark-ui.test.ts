/* Proxies to the web UIs of drivers, which serve untrusted code. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { basePathOf, portOf, SparkUis } from '../../../src/console/server/spark-ui';
import { ApiError } from '../../../src/kube/errors';
import { Visitor } from '../helpers/visitor';

let driver: Server;
let uis: SparkUis;
let seen: IncomingMessage[];
const dialed: unknown[] = [];
const UI = { namespace: 'default', pod: 'pi-driver', port: 4040 };

beforeEach(async () => {
  seen = [];
  driver = createServer((request, response) => {
    seen.push(request);
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'spark-console=stolen', 'x-of-spark': 'kept' });
    response.end(`<script>everything()</script>${request.url}`);
  });
  driver.listen(0, '127.0.0.1');
  await once(driver, 'listening');
  uis = new SparkUis(async (ui) => {
    dialed.push(ui);
    return connect((driver.address() as AddressInfo).port, '127.0.0.1');
  }, () => 0);
});

afterEach(async () => {
  await uis.close();
  driver.closeAllConnections();
  driver.close();
});

/** Opens the URL as a user. */
async function enter(url: string, more: Record<string, string> = {}) {
  const { host, port, search } = new URL(url);
  const visitor = new Visitor(Number(port), { host, ...more });
  const reply = await visitor.get(`/${search}`);
  return {
    reply, visitor: visitor.with({
      cookie: `spark-console=of-the-console; ${reply.headers['set-cookie']?.[0]?.split(';')[0] ?? ''}`, authorization: 'Bearer mine',
    }), stranger: visitor, search,
  };
}

test('the UI has its own origin, and the driver receives no credentials of the console', async () => {
  const { reply, visitor } = await enter(await uis.urlOf(UI));
  expect(reply).toMatchObject({ status: 200, text: expect.stringContaining('http-equiv="refresh" content="0; url=/"') });
  expect(reply.headers['set-cookie']).toEqual([expect.stringMatching(/^spark-ui-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)]);
  const { status, text, headers } = await visitor.get('/jobs/?a=1');
  expect({ status, text, ofSpark: headers['x-of-spark'] }).toEqual({
    status: 200, text: '<script>everything()</script>/jobs/?a=1', ofSpark: 'kept',
  });
  expect(headers['set-cookie']).toBeUndefined();
  expect(seen[0]!.headers).not.toHaveProperty('cookie');
  expect(seen[0]!.headers).not.toHaveProperty('authorization');
  expect(dialed.at(-1)).toEqual(UI);
});

test('a token works once, and the driver receives no request without one', async () => {
  const { stranger, search } = await enter(await uis.urlOf(UI));
  expect((await stranger.get(`/${search}`)).status).toBe(401);
  expect((await stranger.get('/jobs/')).status).toBe(401);
  expect(seen).toEqual([]);
});

test("the console's button can open only the entrance, because other pages can link to it, too", async () => {
  const url = await uis.urlOf(UI);
  const navigation = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const { reply, visitor } = await enter(url, navigation);
  expect(reply.status).toBe(200);
  for (const path of ['/', '/jobs/', '/jobs/job/kill/?id=1']) {
    expect({ path, ...await visitor.get(path) }).toMatchObject({ path, status: 403, text: 'it comes from another site\n' });
  }
  expect(seen).toEqual([]);
  expect((await visitor.with({ 'sec-fetch-site': 'same-origin' }).get('/jobs/')).status).toBe(200);
});

test('each driver has its own port, which isolates it from others', async () => {
  const [first, second] = [await uis.urlOf(UI), await uis.urlOf({ ...UI, pod: 'tau-driver' })];
  expect(new URL(first).port).not.toBe(new URL(second).port);
  expect(new URL(await uis.urlOf(UI)).port).toBe(new URL(first).port);
  const { visitor } = await enter(first);
  expect(
    (await new Visitor(Number(new URL(second).port), { host: new URL(second).host }).with({ cookie: 'x=1' }).get('/')).status,
  ).toBe(401);
  expect((await visitor.get('/')).status).toBe(200);
});

test.each<[string, Record<string, string>]>([
  ['another origin', { origin: 'http://127.0.0.1:1' }],
  ['another site, without its origin', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['another port of this machine', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
])('requests of %s are rejected: they could kill a job, for example', async (_, headers) => {
  const { visitor } = await enter(await uis.urlOf(UI));
  expect((await visitor.with(headers).post('/jobs/job/kill/?id=1')).status).toBe(403);
  expect((await visitor.with(headers).get('/jobs/job/kill/?id=1')).status).toBe(403);
  expect((await visitor.with({ host: 'evil.example' }).get('/')).status).toBe(421);
  expect(seen).toEqual([]);
});

test('a path prefix that an Ingress removes is removed here, too', async () => {
  const { visitor } = await enter(await uis.urlOf({ ...UI, basePath: '/default/pi' }));
  expect((await visitor.get('/default/pi/static/spark.js')).text).toContain('/static/spark.js');
  expect(seen[0]!.url).toBe('/static/spark.js');
  expect(['https://spark.example.org/default/pi', 'https://pi.spark.example.org', 'nonsense', undefined].map(basePathOf)).toEqual([
    '/default/pi', undefined, undefined, undefined,
  ]);
});

test('the address keeps the name by which the user opened the console: the browser would not send the cookie to another one', async () => {
  const { hostname, port } = new URL(await uis.urlOf(UI, 'localhost'));
  expect(hostname).toBe('localhost');
  expect(new URL(await uis.urlOf(UI)).host).toBe(`127.0.0.1:${port}`);
  expect((await enter(await uis.urlOf(UI, 'localhost'))).reply.status).toBe(200);
});

test('each driver uses one of the allowed ports, until none is left', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const limited = new SparkUis(() => Promise.reject(new Error('none')), () => 0, { first: port, last: port + 100 });
  const own = Number(new URL(await limited.urlOf(UI)).port);
  expect(own).toBeGreaterThan(port);
  expect(own).toBeLessThanOrEqual(port + 100);

  const single = new SparkUis(() => Promise.reject(new Error('none')), () => 0, { first: own, last: own });
  await expect(single.urlOf(UI)).rejects.toMatchObject({
    status: 409,
    message: `port ${own}, which --spark-ui-port names, is taken; a port that serves another driver is released 30 minutes after its last use; or name more ports`,
  });
  await limited.close();
  expect(Number(new URL(await single.urlOf(UI)).port)).toBe(own);
  await single.close();
  taken.close();
});

test('a large answer arrives complete, although the driver disconnects before it is read', async () => {
  const size = 16 * 1024 * 1024;
  const ways = new SparkUis(async () => {
    const socket = new Duplex({ read: () => {}, write: (_, __, done) => done() });
    setImmediate(() => {
      socket.push(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`);
      const piece = Buffer.alloc(64 * 1024, 'x');
      for (let left = size; left > 0; left -= piece.length) socket.push(piece);
      socket.push(null);
    });
    return socket;
  }, () => 0);
  const { visitor } = await enter(await ways.urlOf(UI));
  const { status, text } = await visitor.get('/large');
  expect({ status, size: text.length }).toEqual({ status: 200, size });
  await ways.close();
});

describe('a driver can send anything', () => {
  let answer = '';
  const hostile = createTcpServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(answer));
  });
  let ways: SparkUis;

  beforeAll(async () => {
    hostile.listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    ways = new SparkUis(async () => connect((hostile.address() as AddressInfo).port, '127.0.0.1'), () => 0);
  });

  afterAll(async () => {
    await ways.close();
    hostile.close();
  });

  test.each([
    ['an invalid trailer', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTrailer: X\r\n\r\nok', 200, 'ok'],
    ['an invalid status', 'HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n', 502, 'the driver does not answer: its answer has the status 0\n'],
    [
      'a status that is too large', 'HTTP/1.1 999 OK\r\nContent-Length: 0\r\n\r\n', 502,
      'the driver does not answer: its answer has the status 999\n',
    ],
    [
      'another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 502,
      'the driver does not answer: it requested a protocol upgrade\n',
    ],
    ['no HTTP at all', 'SSH-2.0-OpenSSH\r\n', 502, expect.stringMatching(/^the driver does not answer: /)],
  ])('%s', async (_, sent, status, text) => {
    answer = sent;
    const { visitor } = await enter(await ways.urlOf(UI));
    expect(await visitor.get('/')).toMatchObject({ status, text });
  });

  test('and leaves nothing in the browser for the next driver on this port', async () => {
    answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nCache-Control: public, max-age=31536000, immutable\r\nExpires: Fri, 01 Jan 2100 00:00:00 GMT\r\nService-Worker-Allowed: /\r\n\r\n';
    const { reply, visitor } = await enter(await ways.urlOf(UI));
    expect(reply.headers['clear-site-data']).toBe('"cache", "storage"');
    const { headers } = await visitor.get('/static/spark.js');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('expires');
    expect(headers).not.toHaveProperty('service-worker-allowed');
    expect((await visitor.with({ 'service-worker': 'script' }).get('/worker.js')).status).toBe(403);
    expect((await visitor.with({ 'sec-fetch-dest': 'serviceworker' }).get('/worker.js')).status).toBe(403);
  });
});

test.each([
  ['does not answer', new Error('pod pi-driver does not listen on 4040'), 502, 'the driver does not answer: pod pi-driver does not listen on 4040\n'],
  ['was deleted', new ApiError({ verb: 'get', resource: 'pods/portforward' }, 404, { message: 'pods "pi-driver" not found' }), 410,
    'the driver has ended: its pod was deleted, and its Spark UI with it\n'],
])('a driver that %s is reported', async (_, error, status, text) => {
  const broken = new SparkUis(() => Promise.reject(error), () => 0);
  const { visitor } = await enter(await broken.urlOf(UI));
  expect(await visitor.get('/')).toMatchObject({ status, text });
  await broken.close();
});

test('the application determines the port', () => {
  const confs: readonly (Record<string, string> | undefined)[] = [
    undefined, { 'spark.ui.port': '4050' }, { 'spark.ui.port': 'x' }, { 'spark.ui.enabled': 'false' },
  ];
  expect(confs.map((conf) => portOf(conf))).toEqual([4040, 4050, 4040, undefined]);
});
