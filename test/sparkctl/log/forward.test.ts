/* `sparkctl forward` with a fake kubelet. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import { NetworkError } from '../../../src/kube/errors';
import forward from '../../../src/sparkctl/commands/forward';
import { isLost } from '../../../src/sparkctl/log/watch-subject';
import { Visitor } from '../../console/helpers/visitor';
import { application, ended, FakeKube, pod, Running, RUNNING, WAITING } from './fake-kube';

let kube: FakeKube;
let kubelet: WebSocketServer;
/** Paths of the requests. */
let asked: string[];
let running: Running;

beforeEach(async () => {
  kube = await FakeKube.start();
  asked = [];
  kubelet = new WebSocketServer({ noServer: true, handleProtocols: () => 'v4.channel.k8s.io' });
  kube.http.on('upgrade', (request, socket: Socket, head) => {
    asked.push(request.url!);
    kubelet.handleUpgrade(request, socket, head, (ws) => {
      for (const channel of [0, 1]) ws.send(Buffer.from([channel, 0xc8, 0x0f]));
      kubelet.emit('connection', ws);
    });
  });
});

afterEach(async () => {
  running?.interrupt();
  await running?.code;
  for (const client of kubelet.clients) client.terminate();
  await kube.stop();
});

/** Driver that echoes, once per connection. */
function echo(): void {
  kubelet.on('connection', (socket: WebSocket) => socket.on('message', (message: Buffer) => socket.send(Buffer.concat([Buffer.from('\0you said '), message.subarray(1)]), () => socket.close(1000))));
}

/** Driver with a Spark UI, which answers with the head of the request. */
function serveUi(headers = ''): void {
  kubelet.on('connection', (socket: WebSocket) => socket.on('message', (message: Buffer) => {
    const head = message.subarray(1);
    socket.send(Buffer.concat([Buffer.from(`\0HTTP/1.1 200 OK\r\n${headers}connection: close\r\n\r\n`), head]), () => socket.close(1000));
  }));
}

function run(args: string): Running {
  running = new Running(kube, { name: 'forward', summary: '', load: async () => ({ default: forward }) }, args.split(' '));
  return running;
}

async function localPort(): Promise<number> {
  await running.printed('127.0.0.1:');
  return Number(/127\.0\.0\.1:(\d+)/.exec(running.out)![1]);
}

/** Sends an HTTP request to the local port that the command has printed. */
async function ask(path: string, headers: Record<string, string> = {}) {
  return new Visitor(await localPort()).with(headers).get(path);
}

/** Sends bytes to the local port. */
async function answer(question: string): Promise<string> {
  const socket = connect(await localPort(), '127.0.0.1');
  socket.end(question);
  return text(socket).catch(({ code }) => code);
}

test('without the permission, nothing is promised', async () => {
  kube.put('sparkapplications', application('RUNNING'));
  kube.put('pods', pod(RUNNING));
  kube.isAllowed = false;
  expect(await run('pi --local-port=0').code).toBe(1);
  expect(running.out).toBe('! sparkctl forward: you cannot get pods/portforward in jobs; '
    + 'ask for the permission that `kubectl auth can-i get pods --subresource=portforward -n jobs` checks\n');
});

test('forwards many connections, across a restart of the driver, until Ctrl-C', async () => {
  kube.put('sparkapplications', application('RUNNING', { spec: { sparkConf: { 'spark.ui.port': '4141' } } }));
  kube.put('pods', pod(RUNNING));
  serveUi();
  run('pi --local-port=0');
  const pages = await Promise.all(['/a', '/b', '/c'].map((path) => ask(path)));
  expect(pages.map(({ text: page }) => page.split('\r\n', 1)[0])).toEqual(['GET /a HTTP/1.1', 'GET /b HTTP/1.1', 'GET /c HTTP/1.1']);
  expect(asked).toEqual(Array(3).fill('/api/v1/namespaces/jobs/pods/pi-driver/portforward?ports=4141'));

  kube.put('pods', pod(ended(1)));
  kube.put('sparkapplications', application('FAILING', { message: 'exit code 1' }));
  await running.printed('waiting for the driver: Attempt 1 failed: exit code 1');
  // A connection while no driver runs is answered by the next driver.
  const late = ask('/d');
  kube.remove('pods', 'pi-driver');
  kube.put('sparkapplications', application('RUNNING', { submission: 's2' }));
  kube.put('pods', pod(RUNNING, { uid: 'd2', submission: 's2' }));
  expect(await late).toMatchObject({ status: 200, text: expect.stringContaining('GET /d') });

  running.interrupt();
  expect(await running.code).toBe(130);
  expect(running.out).toContain('! sparkctl forward: forwarding to port 4141 of the driver of SparkApplication jobs/pi; Ctrl-C ends it\n');
  expect(running.out).toMatch(/\n! sparkctl forward: interrupted; SparkApplication jobs\/pi continues in the cluster\n$/);
});

test('a driver that is gone, or never started', async () => {
  kube.put('sparkapplications', application('RUNNING'));
  run('pi --local-port=0');
  await running.printed('waiting for the driver: The pod pi-driver of its driver does not exist any more');
  const failed = application('FAILED', { message: 'no luck' });
  failed.status.attemptHistory = [{ submissionID: 's1', result: 'SubmissionFailed' }];
  kube.put('sparkapplications', failed);
  expect(await running.code).toBe(1);
  expect(running.out).toContain('SparkApplication jobs/pi never had a driver, so there is no Spark UI. It failed: no luck');
});

test('waits for the driver, and ends with the application', async () => {
  kube.put('sparkapplications', application('SUBMITTED'));
  kube.put('pods', pod(WAITING));
  run('pi');
  await running.printed('waiting for the driver: ');
  expect(running.out).not.toContain('http://');
  kube.put('pods', pod(RUNNING));
  kube.put('sparkapplications', application('RUNNING'));
  await running.printed('http://127.0.0.1:');
  kube.put('sparkapplications', application('COMPLETED'));
  expect(await running.code).toBe(0);
  expect(running.out).toMatch(/! sparkctl forward: It completed[^\n]*\n$/);
});

test.each<[string, () => void, RegExp]>([
  ['the application has failed', () => kube.put('sparkapplications', application('FAILED', { message: 'exit code 1' })), /! sparkctl forward: It failed: exit code 1[^\n]*\n$/],
  ['the application was deleted', () => kube.remove('sparkapplications', 'pi'), /! sparkctl forward: SparkApplication jobs\/pi has been deleted with its driver\n$/],
])('exit code 1 once %s', async (_, change, message) => {
  kube.put('sparkapplications', application('RUNNING'));
  kube.put('pods', pod(RUNNING));
  run('pi --local-port=0');
  await running.printed('http://127.0.0.1:');
  change();
  expect(await running.code).toBe(1);
  expect(running.out).toMatch(message);
});

test('exit code 1 with the reason once the API server refuses the user, such as after the end of a token', async () => {
  kube.put('sparkapplications', application('RUNNING'));
  kube.put('pods', pod(RUNNING));
  run('pi --local-port=0');
  await running.printed('http://127.0.0.1:');
  kube.forbidden.push('/sparkapplications');
  kube.disconnect();
  expect(await running.code).toBe(1);
  expect(running.out).toMatch(/! sparkctl forward: the connection to the API server is lost: (list|watch) sparkapplications .*403 Forbidden.*\n$/);
});

test('an interruption of the connection is no loss', () => {
  const interruption = new NetworkError({ verb: 'watch', resource: 'pods' }, 'ECONNRESET', 'the connection broke');
  expect([1, 6, 7].map((failures) => isLost(interruption, failures))).toEqual([false, false, true]);
});

test('forwards bytes unchanged for another port than that of the Spark UI', async () => {
  kube.put('sparkapplications', application('RUNNING'));
  kube.put('pods', pod(RUNNING));
  echo();
  run('pi --port=15002 --local-port=0');
  expect(await Promise.all(['a', 'b', 'c'].map(answer))).toEqual(['you said a', 'you said b', 'you said c']);
  expect(running.out).not.toContain('http://');
});

test('the driver gets no credentials of other servers on this machine, and stores nothing in the browser', async () => {
  kube.put('sparkapplications', application('RUNNING'));
  kube.put('pods', pod(RUNNING));
  serveUi('set-cookie: a=b\r\nservice-worker-allowed: /\r\nx-spark: kept\r\n');
  run('pi --local-port=0');
  const { status, text: seen, headers } = await ask('/jobs/', { cookie: 'session=of-another-server', authorization: 'Basic b2Y6YW5vdGhlcg==' });
  expect(status).toBe(200);
  expect(seen).toContain('GET /jobs/ HTTP/1.1');
  expect(seen.toLowerCase()).not.toMatch(/cookie|authorization/);
  expect(headers).toMatchObject({ 'x-spark': 'kept', 'cache-control': 'no-store' });
  for (const name of ['set-cookie', 'service-worker-allowed']) expect(headers).not.toHaveProperty(name);
});

test.each<[string, string, Record<string, string>, number]>([
  ['of another name (DNS rebinding)', '/jobs/', { host: 'evil.example:4040' }, 421],
  ['of another site', '/jobs/job/kill/?id=1', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
  ['of another origin', '/jobs/', { origin: 'http://127.0.0.1:1' }, 403],
  ['for a service worker', '/worker.js', { 'service-worker': 'script' }, 403],
  ['through a tunnel with another port', '/jobs/', { host: 'localhost:9999' }, 200],
])('requests %s: %s', async (_, path, headers, status) => {
  kube.put('sparkapplications', application('RUNNING'));
  kube.put('pods', pod(RUNNING));
  serveUi();
  run('pi --local-port=0');
  expect((await ask(path, headers)).status).toBe(status);
  expect(asked).toHaveLength(status === 200 ? 1 : 0);
});

test('uses another port if the default is taken; a requested one that is taken is an error', async () => {
  kube.put('sparkapplications', application('RUNNING'));
  kube.put('pods', pod(RUNNING));
  echo();
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  run(`pi --port=${port}`);
  await running.printed('127.0.0.1:');
  expect(running.out).not.toContain(`127.0.0.1:${port}\n`);
  running.interrupt();
  expect(await running.code).toBe(130);

  expect(await run(`pi --local-port=${port}`).code).toBe(1);
  expect(running.out).toBe(`! sparkctl forward: port ${port} of 127.0.0.1 is taken; set --local-port to another one, or to 0 for any free one\n`);
  expect(await run('pi --address=192.0.2.1').code).toBe(1);
  expect(running.out).toContain('192.0.2.1 is not an address of this machine');
  await new Promise((resolve) => other.close(resolve));
});

test('reports connections that the pod rejects, once for all', async () => {
  kube.put('sparkapplications', application('RUNNING'));
  kube.put('pods', pod(RUNNING));
  kubelet.on('connection', (socket: WebSocket) => socket.send(Buffer.from('\x01connect: connection refused')));
  run('pi --local-port=0');
  const [page] = await Promise.all([ask('/a'), ask('/b')]);
  expect(page).toMatchObject({ status: 502, text: expect.stringContaining('nothing listens on port 4040 of the pod') });
  await running.printed('nothing listens on port 4040 of the pod: connect: connection refused; the Spark UI starts some seconds after the driver');
  expect(running.out.match(/nothing listens/g)).toHaveLength(1);
});

test('a port other than that of the Spark UI has no advice about the Spark UI', async () => {
  kube.put('sparkapplications', application('RUNNING'));
  kube.put('pods', pod(RUNNING));
  kubelet.on('connection', (socket: WebSocket) => socket.send(Buffer.from('\x01connect: connection refused')));
  run('pi --port=9 --local-port=0');
  await answer('a').catch(() => {});
  await running.printed('nothing listens on port 9 of the pod: connect: connection refused\n');
});

test.each([
  ['pi', 1, /the driver of SparkApplication jobs\/pi does not run any more\. It failed: exit code 1\. A Spark history server [^;]*$/m],
  ['pi --port=0 --local-port=70000', 2, /--port=0: write a port, from 1 to 65535\n--local-port=70000: write a port, from 0 to 65535/],
])('sparkctl forward %s fails', async (args, code, message) => {
  kube.put('sparkapplications', application('FAILED', { message: 'exit code 1' }));
  expect(await run(args).code).toBe(code);
  expect(running.out).toMatch(message);
});
