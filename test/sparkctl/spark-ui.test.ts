/*
 * `sparkctl ui NAME`: the Spark UI of a driver in the browser. log/forward.test.ts tests the
 * forwarding, ui.test.ts the console.
 */
import { createServer, type AddressInfo } from 'node:net';
import { openBrowser } from '../../src/sparkctl/browser';
import ui from '../../src/sparkctl/commands/ui';
import { application, FakeKube, pod, Running, RUNNING, WAITING } from './log/fake-kube';

// This module exists only in the bundle.
jest.mock('console-page', () => ({ script: '', style: '' }), { virtual: true });
jest.mock('../../src/sparkctl/browser');

let kube: FakeKube;
let running: Running;

beforeEach(async () => {
  kube = await FakeKube.start();
  kube.put('sparkapplications', application('RUNNING'));
  kube.put('pods', pod(RUNNING));
});

afterEach(async () => {
  running.interrupt();
  await running.code;
  await kube.stop();
  jest.mocked(openBrowser).mockClear();
});

function run(...args: string[]): Running {
  running = new Running(kube, { name: 'ui', summary: '', load: async () => ({ default: ui }) }, args, { isTerminal: true });
  return running;
}

test('opens it once a driver runs, and serves it until Ctrl-C', async () => {
  kube.put('sparkapplications', application('SUBMITTED'));
  kube.put('pods', pod(WAITING));
  run('pi');
  await running.printed('! sparkctl ui: waiting for the driver: ');
  expect(openBrowser).not.toHaveBeenCalled();
  kube.put('pods', pod(RUNNING));
  await running.printed('http://127.0.0.1:');
  expect(openBrowser).toHaveBeenCalledWith(/http:\/\/127\.0\.0\.1:\d+/.exec(running.out)![0]);
  running.interrupt();
  expect(await running.code).toBe(130);
});

test('--no-open only prints the address', async () => {
  run('pi', '--no-open');
  await running.printed('http://127.0.0.1:');
  expect(openBrowser).not.toHaveBeenCalled();
});

test('reports a port that is taken, with the remedy', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  expect(await run('pi', `--port=${port}`).code).toBe(1);
  expect(running.out).toBe(`! sparkctl ui: port ${port} of 127.0.0.1 is taken; set --port to another one, or to 0 for any free one\n`);
  await new Promise((resolve) => other.close(resolve));
});

test('rejects --spark-ui-port with NAME', async () => {
  expect(await run('pi', '--spark-ui-port=8081').code).toBe(2);
  expect(running.out).toContain('--spark-ui-port is for the console; with pi write --port');
});
