/* The way to the web UI of a driver: what it serves is the code of others. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { basePathOf, portOf, SparkUis } from '../../../src/console/server/spark-ui';
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

/** Somebody who has opened the URL. */
async function enter(url: string, more: Record<string, string> = {}) {
  const { host, port, search } = new URL(url);
  const visitor = new Visitor(Number(port), { host, ...more });
  const reply = await visitor.get(`/${search}`);
  return { reply, visitor: visitor.with({ cookie: `spark-console=of-the-console; ${reply.headers['set-cookie']?.[0]?.split(';')[0] ?? ''}`, authorization: 'Bearer mine' }), stranger: visitor, search };
}

test('it is served on an origin of its own, and the driver gets nothing by which the console lets in', async () => {
  const { reply, visitor } = await enter(await uis.urlOf(UI));
  expect(reply).toMatchObject({ status: 303, headers: { 'location': '/', 'set-cookie': [expect.stringMatching(/^spark-ui-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)] } });
  const { status, text, headers } = await visitor.get('/jobs/?a=1');
  expect({ status, text, ofSpark: headers['x-of-spark'] }).toEqual({ status: 200, text: '<script>everything()</script>/jobs/?a=1', ofSpark: 'kept' });
  expect(headers['set-cookie']).toBeUndefined();
  expect(seen[0]!.headers).not.toHaveProperty('cookie');
  expect(seen[0]!.headers).not.toHaveProperty('authorization');
  expect(dialed.at(-1)).toEqual(UI);
});

test('a token lets in once, and nothing gets to the driver without one', async () => {
  const { stranger, search } = await enter(await uis.urlOf(UI));
  expect((await stranger.get(`/${search}`)).status).toBe(401);
  expect((await stranger.get('/jobs/')).status).toBe(401);
  expect(seen).toEqual([]);
});

test('each driver has a port of its own, so that one cannot reach the other', async () => {
  const [first, second] = [await uis.urlOf(UI), await uis.urlOf({ ...UI, pod: 'tau-driver' })];
  expect(new URL(first).port).not.toBe(new URL(second).port);
  expect(new URL(await uis.urlOf(UI)).port).toBe(new URL(first).port);
  const { visitor } = await enter(first);
  expect((await new Visitor(Number(new URL(second).port), { host: new URL(second).host }).with({ cookie: 'x=1' }).get('/')).status).toBe(401);
  expect((await visitor.get('/')).status).toBe(200);
});

test.each<[string, Record<string, string>]>([
  ['another origin', { origin: 'http://127.0.0.1:1' }],
  ['another site, without a word', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['another port of this machine', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
])('requests of %s are refused: kill a job, for example', async (_, headers) => {
  const { visitor } = await enter(await uis.urlOf(UI));
  expect((await visitor.with(headers).post('/jobs/job/kill/?id=1')).status).toBe(403);
  expect((await visitor.with(headers).get('/jobs/job/kill/?id=1')).status).toBe(403);
  expect((await visitor.with({ host: 'evil.example' }).get('/')).status).toBe(421);
  expect(seen).toEqual([]);
});

test('a path that an Ingress takes off is taken off here, too', async () => {
  const { visitor } = await enter(await uis.urlOf({ ...UI, basePath: '/default/pi' }));
  expect((await visitor.get('/default/pi/static/spark.js')).text).toContain('/static/spark.js');
  expect(seen[0]!.url).toBe('/static/spark.js');
  expect(['https://spark.example.org/default/pi', 'https://pi.spark.example.org', 'nonsense', undefined].map(basePathOf)).toEqual(['/default/pi', undefined, undefined, undefined]);
});

test('that the driver does not answer is told', async () => {
  const broken = new SparkUis(() => Promise.reject(new Error('pod pi-driver does not listen on 4040')), () => 0);
  const { visitor } = await enter(await broken.urlOf(UI));
  expect(await visitor.get('/')).toMatchObject({ status: 502, text: 'the driver does not answer: pod pi-driver does not listen on 4040\n' });
  await broken.close();
});

test('the port is what the application says', () => {
  const confs: readonly (Record<string, string> | undefined)[] = [undefined, { 'spark.ui.port': '4050' }, { 'spark.ui.port': 'x' }, { 'spark.ui.enabled': 'false' }];
  expect(confs.map((conf) => portOf(conf))).toEqual([4040, 4050, 4040, undefined]);
});
