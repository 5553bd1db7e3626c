import { once } from 'node:events';
import { connect } from 'node:net';
import type { Configuration } from '../../src/flags/configuration';
import { serve, type RunningServer } from '../../src/operator/http-server';
import { serveAll } from '../../src/operator/serve-all';
import { systemClock } from '../../src/kube/clock';
import { silentLogger } from '../../src/kube/logger';

let server: RunningServer;
const errors: unknown[] = [];
const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

beforeAll(async () => {
  server = await serve({ host: '127.0.0.1', port: 0 }, {
    '/ok': () => ({ status: 200, body: 'fine\n' }),
    '/broken': () => { throw new Error('a secret detail'); },
  }, (error) => errors.push(error));
});
afterAll(() => server.close());

test('a path is answered, with a query or without', async () => {
  for (const path of ['/ok', '/ok?verbose']) {
    const answer = await get(path);
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 200, body: 'fine\n' });
  }
});

test('HEAD has no body', async () => expect(await (await get('/ok', { method: 'HEAD' })).text()).toBe(''));

test('anything but reading is refused', async () => expect((await get('/ok', { method: 'POST', body: 'x' })).status).toBe(405));

test.each(['/', '/nothing', '/__proto__', '/constructor'])('%s is not there', async (path) => expect((await get(path)).status).toBe(404));

test('an error is reported to the log, not to the caller', async () => {
  const answer = await get('/broken');
  expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 500, body: 'internal error, see the log\n' });
  expect(errors).toEqual([new Error('a secret detail')]);
});

test('a port that is taken is an error at once', async () => {
  await expect(serve({ host: '127.0.0.1', port: server.port }, {}, () => undefined)).rejects.toThrow('EADDRINUSE');
});

describe('a client that does not read', () => {
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

  /**
   * Opens a connection, sends text and reads nothing until `ended`, which resolves when the server
   * ends it.
   */
  async function send(port: number, text: string, localAddress = '127.0.0.1'): Promise<{ ended(): Promise<unknown>; end(): void }> {
    const socket = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await once(socket, 'connect');
    socket.write(text);
    return { ended: () => socket.resume() && closed, end: () => socket.destroy() };
  }

  test('1,800 requests for metrics on one connection render one page, and end the connection', async () => {
    let renderings = 0;
    const registry = {
      contentType: 'text/plain',
      async metrics() {
        renderings++;
        return 'x'.repeat(400_000);
      },
    };
    let ports: any;
    const logger = { ...silentLogger, info: (fields: any) => { ports = fields.ports; } };
    const address = { host: '127.0.0.1', port: 0 };
    const servers = await serveAll({ health: undefined, metrics: { address } } as unknown as Configuration, logger, { '/healthz': fail, '/readyz': fail }, registry, systemClock);
    const { ended } = await send(ports.metrics, request('/metrics').repeat(1_800));
    expect((await (await fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).text()).length).toBe(400_000);
    expect(renderings).toBeLessThan(5);
    await ended();
    await servers.close();
  });

  test('connections of 10 addresses leave room for a probe', async () => {
    const large = await serve({ host: '127.0.0.1', port: 0 }, { '/large': () => ({ status: 200, body: Buffer.alloc(16 * 1024 * 1024) }), '/healthz': () => ({ status: 200, body: 'fine\n' }) }, fail);
    const held = [];
    for (let index = 0; index < 100; index++) held.push(await send(large.port, request('/large'), `127.0.0.${2 + index % 10}`));
    for (let probe = 0; probe < 5; probe++) {
      expect(await (await fetch(`http://127.0.0.1:${large.port}/healthz`, { headers: { connection: 'close' } })).text()).toBe('fine\n');
    }
    for (const { end } of held) end();
    await large.close();
  });

  function fail(): never {
    throw new Error('this was not to be called');
  }
});
