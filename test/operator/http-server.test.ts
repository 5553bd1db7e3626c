import { once } from 'node:events';
import { connect } from 'node:net';
import { ANSWER_TIME, CONNECTIONS, serve, type RunningServer } from '../../src/operator/http-server';
import { ManualClock } from '../kube/helpers/manual-clock';

let server: RunningServer;
const clock = new ManualClock();
/** More bytes than the system keeps for a client that does not read. */
const LARGE = 64 * 1024 * 1024;
const errors: unknown[] = [];
const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

beforeAll(async () => {
  server = await serve({ host: '127.0.0.1', port: 0 }, {
    '/ok': () => ({ status: 200, body: 'fine\n' }),
    '/broken': () => { throw new Error('a secret detail'); },
    '/large': () => ({ status: 200, body: Buffer.alloc(LARGE) }),
  }, (error) => errors.push(error), clock);
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

test('an error is told to the log, not to the caller', async () => {
  const answer = await get('/broken');
  expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 500, body: 'internal error, see the log\n' });
  expect(errors).toEqual([new Error('a secret detail')]);
});

test('a port that is taken is an error at once', async () => {
  await expect(serve({ host: '127.0.0.1', port: server.port }, {}, () => undefined, clock)).rejects.toThrow('EADDRINUSE');
});

describe('a client that floods the server', () => {
  const { all, ofAddress } = CONNECTIONS;
  const OK = 'GET /ok HTTP/1.1\r\nhost: operator\r\n\r\n';

  /** Opens connections. @returns their ends, each with what the client received */
  function open(port: number, count: number, localAddress = '127.0.0.1', text = '') {
    const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }));
    const ends = sockets.map(async (socket) => {
      let received = '';
      socket.setEncoding('latin1').on('data', (data) => { received += data; }).on('error', () => {});
      socket.write(text);
      await once(socket, 'close');
      return received;
    });
    return { ends, close: () => sockets.forEach((socket) => socket.destroy()) };
  }

  /** Waits until so many connections have ended. */
  const ended = (ends: readonly Promise<unknown>[], count: number) => new Promise<void>((resolve) => {
    let left = count;
    for (const end of ends) void end.then(() => { if (--left === 0) resolve(); });
  });

  test('has a share of the connections', async () => {
    const flood = open(server.port, ofAddress + 100);
    await ended(flood.ends, 100);
    expect((await get('/ok')).status).toBe(200);
    flood.close();
  });

  test('from many addresses has all but that of the next probe', async () => {
    const floods = Array.from({ length: all / ofAddress + 1 }, (_, index) => open(server.port, ofAddress, `127.0.0.${index + 2}`));
    await ended(floods.flatMap(({ ends }) => ends), ofAddress);
    expect((await get('/ok')).status).toBe(200);
    floods.forEach(({ close }) => close());
  });

  test('with pipelined requests is cut off', async () => {
    const { ends } = open(server.port, 1, '127.0.0.1', OK.repeat(1_000));
    expect((await ends[0]!).match(/HTTP/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  test('with one request after the other gets its answers', async () => {
    const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
    for (let turn = 0; turn < 3; turn++) {
      socket.write(OK);
      let received = '';
      while (!received.includes('fine')) received += (await once(socket, 'data')).join('');
    }
    socket.destroy();
  });

  test('that does not read its answer is cut off in time', async () => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    socket.write('GET /large HTTP/1.1\r\nhost: operator\r\n\r\n');
    await once(socket, 'readable');
    clock.advance(ANSWER_TIME);
    let received = 0;
    socket.on('data', ({ length }: Buffer) => { received += length; });
    await once(socket, 'close');
    expect(received).toBeLessThan(LARGE);
  });

  test('leaves no timer once it has its answer', async () => {
    expect((await (await get('/large')).arrayBuffer()).byteLength).toBe(LARGE);
    expect(clock.pending).toBe(0);
  });
});
