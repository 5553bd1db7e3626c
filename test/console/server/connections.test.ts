/* Connections to a console in a cluster, without tokens. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Page } from '../../../src/console/server/page-files';
import { serveConsole, type RunningConsole } from '../../../src/console/server/server';
import { systemClock } from '../../../src/kube/clock';
import { silentLogger } from '../../../src/kube/logger';

/** More than the kernel buffers of an answer that the client does not read. */
const page = new Page({ script: 'x'.repeat(16 * 1024 * 1024), style: '' });
let running: RunningConsole;
const sockets: Socket[] = [];

beforeEach(async () => {
  running = await serveConsole({
    host: '127.0.0.1', port: 0, page, api: { clock: systemClock } as any, connections: { all: 8, ofClient: 2 },
    logger: silentLogger,
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await running.close();
});

const GET_SCRIPT = 'GET /console.js HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Opens a connection, sends text and reads nothing. */
async function send(text: string, localAddress: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: running.port, localAddress }).on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Probes as the kubelet does, on its own connection. */
async function probe(localAddress: string): Promise<number> {
  const [response] = await once(
    request({ host: '127.0.0.1', port: running.port, path: '/healthz', localAddress, agent: false }).end(), 'response',
  );
  await once(response.resume(), 'end');
  return response.statusCode;
}

test('1,400 requests for a file on one connection that reads nothing: only the first is answered, and the connection is closed', async () => {
  const sent = jest.spyOn(page, 'send');
  const socket = await send(GET_SCRIPT.repeat(1_400), '127.0.0.2');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  expect(await probe('127.0.0.1')).toBe(200);
  expect(sent).toHaveBeenCalledTimes(1);
  sent.mockRestore();
  socket.resume();
  await closed;
});

test('four clients that read no answers leave room for the probes of a fifth', async () => {
  const sent = jest.spyOn(page, 'send');
  for (let index = 0; index < 8; index++) await send(GET_SCRIPT, `127.0.0.${2 + index % 4}`);
  while (sent.mock.calls.length < 8) await new Promise(setImmediate);
  sent.mockRestore();
  for (let number = 0; number < 5; number++) expect(await probe('127.0.0.1')).toBe(200);
});
