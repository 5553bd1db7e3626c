/* `sparkctl forward`, to a kubelet of the test's own. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import { forward } from '../../../src/sparkctl/commands/forward';
import { application, ended, FakeKube, pod, Running, RUNNING, WAITING } from './fake-kube';

let kube: FakeKube;
let kubelet: WebSocketServer;
/** The paths that were asked for. */
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

/** A driver that answers what it is asked, once for each connection. */
function echo(): void {
  kubelet.on('connection', (socket: WebSocket) => socket.on('message', (message: Buffer) => socket.send(Buffer.concat([Buffer.from('\0you said '), message.subarray(1)]), () => socket.close(1000))));
}

function run(args: string): Running {
  running = new Running(kube, { name: 'forward', summary: '', load: async () => forward }, args.split(' '));
  return running;
}

/** Asks through the local port that it has printed. */
async function answer(question: string): Promise<string> {
  await running.printed('http://127.0.0.1:');
  const socket = connect(Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(running.out)![1]), '127.0.0.1');
  socket.end(question);
  return text(socket).catch(({ code }) => code);
}

test('many connections, over a restart of the driver, until Ctrl-C', async () => {
  kube.put('sparkapplications', application('RUNNING', { spec: { sparkConf: { 'spark.ui.port': '4141' } } }));
  kube.put('pods', pod(RUNNING));
  echo();
  run('pi --local-port=0');
  expect(await Promise.all(['a', 'b', 'c'].map(answer))).toEqual(['you said a', 'you said b', 'you said c']);
  expect(asked).toEqual(Array(3).fill('/api/v1/namespaces/jobs/pods/pi-driver/portforward?ports=4141'));

  kube.put('pods', pod(ended(1)));
  kube.put('sparkapplications', application('FAILING', { message: 'exit code 1' }));
  await running.printed('waiting for the driver: Attempt 1 failed: exit code 1');
  // Asked in between, answered by the next one.
  const late = answer('d');
  kube.remove('pods', 'pi-driver');
  kube.put('sparkapplications', application('RUNNING', { submission: 's2' }));
  kube.put('pods', pod(RUNNING, { uid: 'd2', submission: 's2' }));
  expect(await late).toBe('you said d');

  running.interrupt();
  expect(await running.code).toBe(0);
  expect(running.out).toContain('! sparkctl forward: forwards to port 4141 of the driver of pi; Ctrl-C ends it\n');
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

test('a port that is taken: another one, unless this one is wanted', async () => {
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
  expect(await running.code).toBe(0);

  expect(await run(`pi --local-port=${port}`).code).toBe(1);
  expect(running.out).toBe(`! sparkctl forward: port ${port} of 127.0.0.1 is taken; write another one as --local-port, or 0 for any that is free\n`);
  expect(await run('pi --address=192.0.2.1').code).toBe(1);
  expect(running.out).toContain('192.0.2.1 is no address of this machine');
  await new Promise((resolve) => other.close(resolve));
});

test('what the pod does not take is told, once for all connections', async () => {
  kube.put('sparkapplications', application('RUNNING'));
  kube.put('pods', pod(RUNNING));
  kubelet.on('connection', (socket: WebSocket) => socket.send(Buffer.from('\x01connect: connection refused')));
  run('pi --local-port=0');
  await Promise.all(['a', 'b'].map(answer));
  await running.printed('nothing listens on port 4040 of the pod: connect: connection refused; the Spark UI begins some seconds after the driver');
  expect(running.out.match(/nothing listens/g)).toHaveLength(1);
});

test.each([
  ['pi', 1, /there is no driver of pi any more: It failed: exit code 1; .*history server/],
  ['pi --port=0 --local-port=70000', 2, /--port=0: write a port, from 1 to 65535\n--local-port=70000: write a port, from 0 to 65535/],
])('sparkctl forward %s: nothing to forward', async (args, code, message) => {
  kube.put('sparkapplications', application('FAILED', { message: 'exit code 1' }));
  expect(await run(args).code).toBe(code);
  expect(running.out).toMatch(message);
});
