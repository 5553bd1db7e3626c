/* `sparkctl ui` as a command: its output and its end. test/console has tests of its pages. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Context } from '../../src/sparkctl/command';
import { Interrupted } from '../../src/sparkctl/errors';
import ui from '../../src/sparkctl/commands/ui';
import { application, FakeCluster } from '../console/helpers/fake-cluster';
import { Visitor } from '../console/helpers/visitor';
import { startConsole, synthesizeOperator } from '../../src/bin/programs';

// This module exists only in the bundle.
jest.mock('console-page', () => ({ script: '', style: '' }), { virtual: true });

let cluster: FakeCluster;

beforeEach(async () => {
  cluster = await FakeCluster.start();
  cluster.put('sparkapplications', application('pi', { namespace: 'jobs' }));
});

afterEach(() => cluster.stop());

/** Runs the command until the test ends it. */
function run(values: object, namespace = 'jobs') {
  const interrupt = new AbortController();
  const printed = { stdout: '', stderr: '' };
  let onUrl: (url: string) => void;
  const url = new Promise<string>((resolve) => { onUrl = resolve; });
  const context = {
    io: { stdout: (text: string) => onUrl((printed.stdout += text).trim()), stderr: (text: string) => void (printed.stderr += text) },
    startConsole,
    synthesizeOperator,
    version: '1.2.3',
    packageFolder: '/nonexistent',
    connect: async () => ({ client: cluster.client, connection: { server: 'https://cluster.example:6443' }, namespace }),
    terminal: { isTerminal: false, colour: false },
    signal: interrupt.signal,
  } as unknown as Context;
  const code = ui.run({ port: '0', ...values } as never, [], context).catch((error: unknown) => {
    if (error instanceof Interrupted) return 130;
    throw error;
  });
  return { code, url, printed, interrupt };
}

test('prints the address on standard output, and serves until Ctrl-C', async () => {
  const { code, url, printed, interrupt } = run({});
  const { hostname, port } = new URL(await url);
  expect(hostname).toBe('127.0.0.1');
  const visitor = await new Visitor(Number(port)).admitted(await url);
  expect(JSON.parse((await visitor.get('/api/session')).text)).toEqual({ version: '1.2.3', cluster: 'cluster.example:6443', readOnly: false });
  expect(printed.stderr).toBe('Serving all namespaces until Ctrl-C. Every user who knows the address has your permissions.\n');
  interrupt.abort();
  expect(await code).toBe(130);
  await expect(visitor.get('/')).rejects.toThrow();
});

test('links to the History Server, but to no URL that a browser would run', async () => {
  const { code, url, interrupt } = run({ 'history-server': 'https://history.example.org/' });
  const visitor = await new Visitor(Number(new URL(await url).port)).admitted(await url);
  const { status, ...others } = application('pi', { namespace: 'jobs' });
  cluster.put('sparkapplications', { ...others, status: { ...status, sparkApplicationId: 'spark-1' } });
  const { historyServer } = JSON.parse((await visitor.get('/api/applications/jobs/pi')).text);
  expect(historyServer).toBe('https://history.example.org/history/spark-1/');
  interrupt.abort();
  expect(await code).toBe(130);
  await expect(run({ 'history-server': 'javascript:alert(1)' }).code).rejects.toThrow('--history-server=javascript:alert(1) is not the URL of a web server');
});

test('shows the namespace of the kubeconfig without the permission to list all', async () => {
  cluster.rbac = ({ namespace }) => namespace === 'jobs';
  const { code, url, printed, interrupt } = run({});
  await url;
  expect(printed.stderr).toMatch(/^Serving the namespace jobs [^\n]*\n$/);
  interrupt.abort();
  await code;
});

test('-A shows all namespaces, whatever the namespace, and does not fall back to one', async () => {
  const { code, url, printed, interrupt } = run({ 'all-namespaces': true, 'namespace': 'jobs' });
  await url;
  expect(printed.stderr).toMatch(/^Serving all namespaces /);
  interrupt.abort();
  await code;
  cluster.rbac = ({ namespace }) => namespace === 'jobs';
  await expect(run({ 'all-namespaces': true }).code).rejects.toThrow('you cannot list the SparkApplications of all namespaces; ask for the permission that `kubectl auth can-i list sparkapplications -A` checks, or omit -A');
});

test('names the permission to list applications that is missing', async () => {
  cluster.rbac = ({ resource }) => resource !== 'sparkapplications';
  const { code, url, printed, interrupt } = run({});
  await url;
  expect(printed.stderr).toContain('You cannot list the SparkApplications there: ask for the permission that `kubectl auth can-i list sparkapplications -n jobs` checks.\n');
  interrupt.abort();
  await code;
});

test('reports a port that is taken, with the remedy', async () => {
  const first = run({});
  const { port } = new URL(await first.url);
  await expect(run({ port }).code).rejects.toThrow(`port ${port} is taken; set --port to another one, or omit it for any free one`);
  first.interrupt.abort();
  await first.code;
});

test('serves the Spark UI of a driver on the requested port', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const wanted = String((probe.address() as AddressInfo).port);
  await new Promise((resolve) => { probe.close(resolve); });

  const { code, url, interrupt } = run({ 'spark-ui-port': wanted });
  const visitor = await new Visitor(Number(new URL(await url).port)).admitted(await url);
  const { text } = await visitor.post('/api/applications/jobs/pi/spark-ui');
  expect(new URL(JSON.parse(text).url).host).toBe(`127.0.0.1:${wanted}`);
  interrupt.abort();
  await code;
  await expect(run({ 'spark-ui-port': '8084-8081' }).code).rejects.toThrow('--spark-ui-port=8084-8081: write a port');
});

test.each(['x', '-1', '65536', '1.5'])('rejects --port=%s', async (port) => {
  await expect(run({ port }).code).rejects.toThrow(`--port=${port}: write a number from 0 to 65535`);
});
