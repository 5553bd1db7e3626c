/* The client as npm installs it: its types for each way to resolve modules, and itself in both module systems, on the Node of the machine, too. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../tools/local-cluster/run';
import { makeRepository, pack } from '../../tools/test/installed';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'client-'));
const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let server: Server;
/** Requests to the API server. */
const requests: { readonly line: string; readonly body: any }[] = [];

beforeAll(async () => {
  await makeRepository(folder, { ...peerDependencies, 'cdk8s-spark-operator': `file:${await pack(root, folder)}` });
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => { text += chunk; });
    request.on('end', () => {
      const body = text === '' ? undefined : JSON.parse(text);
      requests.push({ line: `${request.method} ${request.url}`, body });
      const [code, answer] = request.method === 'POST' ? [201, { ...body, metadata: { ...body.metadata, uid: 'uid-1' } }] : [404, { kind: 'Status', code: 404, reason: 'NotFound' }];
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  writeFileSync(join(folder, 'kubeconfig'), JSON.stringify({
    'current-context': 'one',
    'contexts': [{ name: 'one', context: { cluster: 'one', user: 'one', namespace: 'jobs' } }],
    'clusters': [{ name: 'one', cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } }],
    'users': [{ name: 'one', user: { token: 'x' } }],
  }));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Uses each type; its results depend on nothing but them. */
const TYPED = `
import { Duration } from 'cdk8s';
import { RestartPolicy, SparkApplicationType, Schedule, type SparkApplicationProps } from 'cdk8s-spark-operator';
import { ApiError, isNotFound, PropsError, SparkClient, type Failed, type Result, type SparkApplicationObject } from 'cdk8s-spark-operator/client';

const props: SparkApplicationProps = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', restartPolicy: RestartPolicy.never() };

export async function step(signal: AbortSignal): Promise<number> {
  const client = await SparkClient.connect({ namespace: 'jobs' });
  const application: SparkApplicationObject = await client.submit({ generateName: 'pi-' }, props, { signal, requestId: 'run' });
  for await (const line of client.logs(application, { follow: true })) if (line.startsWith('x')) break;
  for await (const { status } of client.watch(application)) if (status?.applicationState?.state === 'RUNNING') break;
  const result: Result = await client.wait(application, { timeout: Duration.hours(1) });
  // @ts-expect-error: only of one that has failed
  result.exitCode;
  const running = await client.wait('pi', { until: 'running' });
  if (running.outcome === 'reached') await client.cancel(running.application, { keep: true });
  await client.submitSchedule('nightly', { schedule: Schedule.cron('0 3 * * *'), template: props });
  // @ts-expect-error: a file is missing
  await client.submit('pi', { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1' });
  await client[Symbol.asyncDispose]();
  switch (result.outcome) {
    case 'completed': return result.attempts;
    case 'failed': return codeOf(result);
    case 'timed out':
    case 'deleted': return 1;
  }
}

function codeOf({ exitCode, reason }: Failed): number {
  return exitCode ?? reason.length;
}

export function told(error: unknown): string {
  if (error instanceof PropsError) return error.violations.map(({ path }) => path).join();
  return error instanceof ApiError && !isNotFound(error) ? error.reason : '';
}
`;

test.each([
  ['nodenext', { module: 'nodenext' }],
  ['node16', { module: 'node16' }],
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ['a CommonJS file', { module: 'node16' }, 'cts'],
])('its types: %s', async (_, compilerOptions, ending = 'ts') => {
  writeFileSync(join(folder, `typed.${ending}`), TYPED);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
    compilerOptions: { target: 'es2022', strict: true, noUncheckedIndexedAccess: true, skipLibCheck: false, noEmit: true, types: ['node'], ...compilerOptions },
    files: [`typed.${ending}`],
  }));
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', folder], { cwd: folder, purpose: 'check types' });
});

const BODY = `
(async () => {
  const client = await SparkClient.connect({ kubeconfig: 'kubeconfig' });
  const { metadata } = await client.submit('pi', { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: { memory: Size.gibibytes(2) } });
  const refused = await client.submit('pi', { type: SparkApplicationType.JAVA, sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.jar' }).catch((error) => error);
  const missing = await client.get('nothing').catch((error) => error);
  await client[Symbol.asyncDispose]();
  console.log(JSON.stringify({ uid: metadata.uid, refused: refused.message, isNotFound: isNotFound(missing), isOne: missing instanceof other().ApiError }));
})();
`;
const NAMES = '{ SparkClient, isNotFound }';
const PROGRAMS = {
  'app.mjs': `import { createRequire } from 'node:module';
import { Size } from 'cdk8s';
import { SparkApplicationType } from 'cdk8s-spark-operator';
import ${NAMES} from 'cdk8s-spark-operator/client';
const other = () => createRequire(import.meta.url)('cdk8s-spark-operator/client');${BODY}`,
  'app.cjs': `const { Size } = require('cdk8s');
const { SparkApplicationType } = require('cdk8s-spark-operator');
const ${NAMES} = require('cdk8s-spark-operator/client');
const other = () => require('cdk8s-spark-operator/client');${BODY}`,
};

test.each(Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[])('%s runs, on the Node of the tests and on that of the machine', async (name) => {
  writeFileSync(join(folder, name), PROGRAMS[name]);
  for (const node of new Set([process.execPath, process.env.npm_node_execpath ?? process.execPath])) {
    requests.length = 0;
    const output = await run(node, [name], { cwd: folder, purpose: `run the client with ${node}` });

    expect(JSON.parse(output)).toEqual({
      uid: 'uid-1', isNotFound: true, isOne: true, refused: expect.stringContaining('SparkApplication jobs/pi would be rejected:\n  mainClass is missing'),
    });
    const path = '/apis/sparkoperator.k8s.io/v1beta2/namespaces/jobs/sparkapplications';
    expect(requests.map(({ line }) => line)).toEqual([`POST ${path}`, `GET ${path}/nothing`]);
    expect(requests[0]!.body).toMatchObject({ kind: 'SparkApplication', spec: { image: 'apache/spark:4.1.1', driver: { serviceAccount: 'spark', memory: '2g' } } });
  }
});
