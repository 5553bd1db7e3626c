/* Ports of pods through a server that speaks the kubelet's protocol over real WebSockets. */
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { type WebSocket, WebSocketServer } from 'ws';
import { forwardPort } from '../../src/kube/port-forward';
import type { Credentials } from '../../src/kube/connection';
import { testAuthority, testCertificate } from '../helpers/certificates';
import { allBytes } from '../helpers/bytes';
import { failure } from './helpers/client-calls';

const POD = { namespace: 'jobs', name: 'pi-driver' };
/** 4040 in two bytes, as each channel begins. */
const PORT = [0xc8, 0x0f];

let server: http.Server;
/** What answers the upgrade; by default the kubelet does. */
let refuse: ((socket: Socket) => void) | undefined;
let kubelet: WebSocketServer;
let requests: http.IncomingMessage[];
let sockets: Socket[];
let credentials: Credentials;
let scheme: 'http' | 'https';

beforeEach(() => {
  requests = [];
  sockets = [];
  refuse = undefined;
  credentials = { headers: { authorization: 'Bearer t' }, tls: {} };
  kubelet = new WebSocketServer({ noServer: true, handleProtocols: (protocols) => (protocols.has('v4.channel.k8s.io') ? 'v4.channel.k8s.io' : false) });
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

async function start(made: http.Server = http.createServer(), by: typeof scheme = 'http'): Promise<void> {
  server = made;
  scheme = by;
  server.on('connection', (socket) => sockets.push(socket));
  server.on('upgrade', (request, socket: Socket, head) => {
    requests.push(request);
    if (refuse) refuse(socket);
    else kubelet.handleUpgrade(request, socket, head, (ws) => kubelet.emit('connection', ws, request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

function open(options: Parameters<typeof forwardPort>[3] = {}): Promise<Duplex> {
  const { port } = server.address() as AddressInfo;
  return forwardPort({ server: `${scheme}://localhost:${port}/base/`, credentials: () => credentials }, POD, 4040, options);
}

/** The kubelet's side of the next connection, after it has greeted. */
async function accepted(): Promise<WebSocket> {
  const [socket] = await once(kubelet, 'connection') as [WebSocket];
  for (const channel of [0, 1]) socket.send(Buffer.from([channel, ...PORT]));
  return socket;
}

/** Both sides of a connection. */
async function connected(options?: Parameters<typeof forwardPort>[3]): Promise<[Duplex, WebSocket]> {
  const [stream, socket] = await Promise.all([open(options), accepted()]);
  return [stream, socket];
}

/** The error that a stream ends with. */
async function broken(stream: Duplex): Promise<any> {
  return failure(text(stream));
}

test('bytes go to and fro, without those of the protocol', async () => {
  await start();
  const [stream, socket] = await connected();
  const received: Buffer[] = [];
  socket.on('message', (message: Buffer) => {
    received.push(message);
    socket.send(Buffer.from([0]));
    socket.send(Buffer.from([0, 0xff, 0, 1]));
    socket.close(1000);
  });
  stream.write(Buffer.from([0xfe, 0, 2]));
  const answer = await allBytes(stream);

  expect(received).toEqual([Buffer.from([0, 0xfe, 0, 2])]);
  expect(answer).toEqual(Buffer.from([0xff, 0, 1]));
  expect(requests[0]).toMatchObject({
    url: '/base/api/v1/namespaces/jobs/pods/pi-driver/portforward?ports=4040',
    headers: { 'authorization': 'Bearer t', 'sec-websocket-protocol': 'v4.channel.k8s.io' },
  });
});

test('what the pod answers still comes when all has been said', async () => {
  await start();
  const [stream, socket] = await connected();
  stream.end('question');
  await once(socket, 'message');
  socket.send(Buffer.from('\0answer'));
  socket.close(1000);
  expect(await text(stream)).toBe('answer');
});

test.each([
  ['dial tcp4 127.0.0.1:4040: connect: connection refused', 'nothing listens on port 4040 of the pod: dial tcp4'],
  ['failed to find sandbox "8f7"', 'port 4040 of the pod cannot be reached: failed to find sandbox "8f7"'],
])('the error channel: %s', async (words, message) => {
  await start();
  const [stream, socket] = await connected();
  socket.send(Buffer.concat([Buffer.of(1), Buffer.from(words)]));
  socket.close(1000);
  expect(await broken(stream)).toMatchObject({ code: 'FORWARD', message: expect.stringContaining(`get pods/portforward jobs/pi-driver: ${message}`) });
});

test('an error that comes with the first packet', async () => {
  await start();
  kubelet.once('connection', (socket: WebSocket) => socket.send(Buffer.from([1, ...PORT, ...Buffer.from('no such sandbox')])));
  const stream = await open();
  expect(await broken(stream)).toMatchObject({ code: 'FORWARD' });
});

test('a connection that breaks is an error, not an end', async () => {
  await start();
  const [stream, socket] = await connected();
  socket.send(Buffer.from('\0half an ans'), () => socket.terminate());
  expect(await broken(stream)).toMatchObject({ code: 'CUT_OFF' });
});

test('a slow reader makes the other side wait', async () => {
  await start();
  const [stream, socket] = await connected();
  const chunk = Buffer.alloc(32 * 1024);
  const most = 4_000;
  let sent = 0;
  const sending = (async () => {
    for (; sent < most; sent++) await new Promise<void>((resolve) => socket.send(chunk, () => resolve()));
    socket.close(1000);
  })();
  let read = 0;
  for await (const bytes of stream) {
    if (read === 0) {
      // It sends until it is not taken any more: then it stands still, with the buffers of both sides full.
      for (let before = -1; before !== sent;) {
        before = sent;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(sent).toBeLessThan(most / 4);
    }
    read += bytes.length;
  }
  await sending;
  expect(read).toBe(most * (chunk.length - 1));
});

test('a refusal is an ApiError with the words of the API server', async () => {
  await start();
  const body = JSON.stringify({ kind: 'Status', reason: 'Forbidden', message: 'cannot get resource "pods/portforward"' });
  refuse = (socket) => socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  expect(await failure(open())).toMatchObject({ name: 'ApiError', status: 403, message: 'get pods/portforward jobs/pi-driver: 403 Forbidden: cannot get resource "pods/portforward"' });
});

test('given up: while it is opened, when it is open, and when nobody answers', async () => {
  await start();
  const controller = new AbortController();
  const [stream] = await connected({ signal: controller.signal });
  refuse = () => {};
  const arrived = once(server, 'upgrade');
  const opening = failure(open({ signal: controller.signal }));
  await arrived;
  controller.abort(new Error('enough'));
  expect((await opening).message).toBe('enough');
  expect((await broken(stream)).message).toBe('enough');
  expect(await failure(open({ timeout: 50 }))).toMatchObject({ code: 'TIMEOUT' });
});

test('without a server, and without credentials', async () => {
  await start();
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const at = (given: () => Credentials) => failure(forwardPort({ server: `http://127.0.0.1:${port}`, credentials: given }, POD, 4040));
  expect(await at(() => credentials)).toMatchObject({ name: 'NetworkError', code: 'ECONNREFUSED' });
  expect(await at(() => { throw new Error('the token has expired'); })).toMatchObject({ code: 'CREDENTIALS', message: expect.stringContaining('the token has expired') });
  await start();
});

test('TLS: the server is checked, and a client certificate is shown', async () => {
  const authority = testAuthority('test');
  const { certificate: cert, key } = testCertificate(authority, { commonName: 'server' }, ['localhost']);
  await start(https.createServer({ ca: authority.certificate.toString(), cert, key, requestCert: true }), 'https');
  const alice = testCertificate(authority, { commonName: 'alice' });
  credentials = { headers: {}, tls: { ca: authority.certificate.toString(), cert: alice.certificate, key: alice.key } };
  const [stream] = await connected();
  expect((requests[0]!.socket as TLSSocket).getPeerCertificate().subject.CN).toBe('alice');
  stream.destroy();

  credentials = { ...credentials, tls: { ...credentials.tls, ca: testAuthority('other').certificate.toString() } };
  expect((await failure(open())).message).toMatch(/certificate/);
});
