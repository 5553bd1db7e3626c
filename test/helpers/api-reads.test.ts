import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followObject, pathsOf, readAll, readObject } from './api-reads';

const folder = mkdtempSync(join(tmpdir(), 'reads-'));
const asked: string[] = [];
let answers: ((response: ServerResponse) => void)[] = [];
const server = createServer(({ url }: IncomingMessage, response) => {
  asked.push(url!);
  answers.shift()!(response);
});
const environment = { ...process.env };

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env.KUBECONFIG = join(folder, 'kubeconfig');
  delete process.env.TEST_CONTEXT;
  writeFileSync(process.env.KUBECONFIG, JSON.stringify({ clusters: [{ cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } }], users: [{ user: {} }] }));
});
afterAll(() => {
  process.env = environment;
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => asked.splice(0));

const json = (body: object, code = 200) => (response: ServerResponse) => response.writeHead(code).end(JSON.stringify(body));
const pod = (phase: string) => ({ metadata: { name: 'a', managedFields: [{}] }, status: { phase } });
const listed = (...items: object[]) => json({ apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '7' }, items });
const event = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const PODS = '/api/v1/namespaces/jobs/pods';

test('collections by any of their names; kubectl reads the others', () => {
  expect(pathsOf('jobs', 'pods,sparkapp')).toEqual([PODS, '/apis/sparkoperator.k8s.io/v1beta2/namespaces/jobs/sparkapplications']);
  expect(pathsOf('jobs', 'deployment')).toEqual(['/apis/apps/v1/namespaces/jobs/deployments']);
  for (const [namespace, kinds] of [['', 'nodes'], ['', 'pods'], ['jobs', 'pods,jobs']] as const) expect(pathsOf(namespace, kinds)).toBeUndefined();
});

test('objects are as kubectl prints them, and errors have the words of the API server', async () => {
  answers = [listed(pod('Running')), json(pod('Failed')), json({ message: 'pods "b" not found' }, 404)];
  expect(await readAll([PODS], 'a=b')).toEqual([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, status: { phase: 'Running' } }]);
  expect(await readObject(`${PODS}/a`)).toEqual({ metadata: { name: 'a' }, status: { phase: 'Failed' } });
  await expect(readObject(`${PODS}/b`)).rejects.toThrow('pods "b" not found');
  expect(asked[0]).toBe(`${PODS}?labelSelector=a%3Db`);
});

test('an object is followed through the end and the loss of watches, without a gap', async () => {
  const phases: string[] = [];
  answers = [
    listed(),
    (response) => {
      const text = event('ADDED', pod('Pending')) + event('BOOKMARK', { metadata: {} });
      response.write(text.slice(0, 20));
      setTimeout(() => response.end(text.slice(20)), 20);
    },
    listed(pod('Running')),
    (response) => response.end(event('ERROR', { message: 'too old resource version' })),
    json({ message: 'the CRD is applied again' }, 404),
    listed(pod('Running')),
    (response) => response.write(event('MODIFIED', pod('Succeeded')) + event('DELETED', pod('Gone'))),
  ];
  const found = await followObject(PODS, 'a', ({ status }) => {
    phases.push(status.phase);
    return status.phase === 'Succeeded' ? status.phase : undefined;
  }, 60);
  expect(found).toBe('Succeeded');
  expect(phases).toEqual(['Pending', 'Running', 'Running', 'Succeeded']);
  expect(asked[0]).toBe(`${PODS}?fieldSelector=metadata.name%3Da`);
  expect(asked[1]).toMatch(/&watch=true.*&resourceVersion=7$/);
});

test('nothing is found when the time is up, and an error of the caller stays one', async () => {
  answers = [listed(), () => {}];
  expect(await followObject(PODS, 'a', () => 'never', 0.2)).toBeUndefined();
  answers = [listed(pod('Running'))];
  await expect(followObject(PODS, 'a', () => { throw new TypeError('x'); }, 60)).rejects.toThrow(TypeError);
});
