/* Logs over real HTTP, from a server that behaves like an API server and its connection. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { KubeClient } from '../../src/kube/client';
import { followLog } from '../../src/kube/logs';
import { allBytes } from '../helpers/bytes';
import { failure } from './helpers/client-calls';
import { FakeApiServer, isAny, silence, status } from './helpers/fake-api-server';
import { ManualClock } from './helpers/manual-clock';

const DRIVER = { namespace: 'jobs', name: 'pi-driver' };

let server: FakeApiServer;
let client: KubeClient;

beforeEach(async () => {
  server = await FakeApiServer.start();
  client = server.client();
});

afterEach(() => server.stop());

/** Answers the next request with 200 and the written bytes. */
function answer(): Promise<ServerResponse> {
  return new Promise((resolve) => server.fail(isAny, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    resolve(response);
  }));
}

test('all options become parameters of the API, the time in full seconds', async () => {
  server.fail(isAny, (_, response) => response.end());
  await allBytes(followLog(client, DRIVER, {
    container: 'spark', follow: true, previous: true, tailLines: 0, sinceTime: new Date('2026-03-01T10:00:00.987Z'), timestamps: true,
  }));
  expect(server.requests).toMatchObject([{ method: 'GET', path: '/api/v1/namespaces/jobs/pods/pi-driver/log' }]);
  expect(Object.fromEntries(server.requests[0]!.query)).toEqual({
    container: 'spark', follow: 'true', previous: 'true', tailLines: '0', sinceTime: '2026-03-01T10:00:00Z', timestamps: 'true',
  });
});

test('each byte arrives as written, however the pieces are cut', async () => {
  const written = Buffer.concat([Buffer.from('zürich-東京\n'), randomBytes(300)]);
  void answer().then((response) => {
    const next = (index: number) => (index < written.length ? response.write(written.subarray(index, index + 1), () => next(index + 1)) : response.end());
    next(0);
  });
  expect(await allBytes(followLog(client, DRIVER))).toEqual(written);
});

test.each([
  [status(404, 'NotFound', 'pods "pi-driver" not found'), { status: 404, message: 'get pods/log jobs/pi-driver: 404 NotFound: pods "pi-driver" not found' }],
  [status(400, 'BadRequest', 'container "spark" in pod "pi-driver" is waiting to start: ContainerCreating'), { status: 400 }],
])('an error answer is an ApiError (%#)', async (fault, error) => {
  server.fail(isAny, fault);
  expect(await failure(allBytes(followLog(client, DRIVER)))).toMatchObject(error);
});

test('a connection that breaks in the middle of a line: the received part is passed on, then an error follows', async () => {
  const answered = answer();
  const log = followLog(client, DRIVER, { follow: true })[Symbol.asyncIterator]();
  const first = log.next();
  const response = await answered;
  response.write('half a li');
  expect((await first).value.toString()).toBe('half a li');
  response.socket!.resetAndDestroy();
  expect(await failure(log.next())).toMatchObject({ name: 'NetworkError', code: 'CUT_OFF', message: expect.stringContaining('get pods/log jobs/pi-driver: the answer was cut off: ') });
});

test('a reader closes the connection by a break, and by the signal', async () => {
  for (const how of ['break', 'signal'] as const) {
    const controller = new AbortController();
    const closed = answer().then(async (response) => {
      response.write('line\n');
      await once(response, 'close');
    });
    const reading = (async () => {
      for await (const _ of followLog(client, DRIVER, { follow: true, signal: controller.signal })) {
        if (how === 'break') break;
        controller.abort(new Error('enough'));
      }
    })();
    if (how === 'signal') await expect(reading).rejects.toThrow('enough');
    else await reading;
    await closed;
  }
});

test('the signal works before the answer begins', async () => {
  server.fail(isAny, silence);
  const controller = new AbortController();
  const arrived = server.request(isAny);
  const reading = allBytes(followLog(client, DRIVER, { follow: true, signal: controller.signal }));
  await arrived;
  controller.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
});

test('a slow reader makes the server wait: the log is not buffered', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const most = 2_000;
  let written = 0;
  const answered = answer().then(async (response) => {
    while (written < most) {
      written++;
      if (!response.write(chunk)) await once(response, 'drain');
    }
    response.end();
  });
  let read = 0;
  for await (const bytes of followLog(client, DRIVER)) {
    if (read === 0) {
      // The server writes until the buffers of both sides are full.
      for (let before = -1; before !== written;) {
        before = written;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(written).toBeLessThan(most / 4);
    }
    read += bytes.length;
  }
  await answered;
  expect(read).toBe(most * chunk.length);
});

test('timeout: applies until the answer begins, except while following, where it begins with the first line', async () => {
  const clock = new ManualClock();
  client = server.client({ clock, timeout: 1_000 });
  server.fail(isAny, silence);
  const arrived = server.request(isAny);
  const late = failure(allBytes(followLog(client, DRIVER)));
  await arrived;
  clock.advance(1_000);
  expect(await late).toMatchObject({ code: 'TIMEOUT' });

  const answered = answer();
  const log = allBytes(followLog(client, DRIVER, { follow: true }));
  const response = await answered;
  clock.advance(3_600_000);
  response.write('first\n');
  clock.advance(3_600_000);
  response.end('second\n');
  expect((await log).toString()).toBe('first\nsecond\n');
});
