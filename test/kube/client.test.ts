import { getEventListeners } from 'node:events';
import { KubeClient, type CallStatistics } from '../../src/kube/client';
import { failure, REF } from './helpers/client-calls';
import { FakeApiServer, isAny, json, reset, silence, status, text } from './helpers/fake-api-server';
import { ManualClock } from './helpers/manual-clock';
import { type Thing, thing, THINGS } from './helpers/things';

let server: FakeApiServer;
let client: KubeClient;

beforeEach(async () => {
  server = await FakeApiServer.start();
  client = server.client();
});

afterEach(() => server.stop());

const PATH = '/apis/test.dev/v1/namespaces/default/things';

/** Returns the request of a call that the server answers with the thing `pi`. */
async function sent(call: (c: KubeClient) => Promise<unknown>) {
  server.fail(isAny, json(thing('pi', 7)));
  expect(await call(client)).toEqual(thing('pi', 7));
  const { method, path, query, headers, body } = server.requests.at(-1)!;
  return { line: `${method} ${path}${query.size ? `?${query}` : ''}`, type: headers['content-type'], body: body && JSON.parse(body) };
}

describe('the verbs', () => {
  test('get', async () => {
    expect(await sent((c) => c.get(THINGS, REF))).toEqual({ line: `GET ${PATH}/pi`, type: undefined, body: '' });
  });

  test('create adds the type', async () => {
    const { metadata, spec } = thing('pi');
    expect(await sent((c) => c.create(THINGS, { metadata, spec }, { dryRun: true }))).toEqual({
      line: `POST ${PATH}?dryRun=All`, type: 'application/json', body: thing('pi'),
    });
  });

  test('update and updateStatus', async () => {
    expect(await sent((c) => c.update(THINGS, thing('pi', 6)))).toEqual({ line: `PUT ${PATH}/pi`, type: 'application/json', body: thing('pi', 6) });
    expect((await sent((c) => c.updateStatus(THINGS, thing('pi', 6)))).line).toBe(`PUT ${PATH}/pi/status`);
  });

  test('patch sends the type of the patch', async () => {
    expect(await sent((c) => c.patch(THINGS, REF, { type: 'merge', body: { spec: null } }))).toEqual({
      line: `PATCH ${PATH}/pi`, type: 'application/merge-patch+json', body: { spec: null },
    });
    expect(await sent((c) => c.patch(THINGS, REF, { type: 'json', body: [{ op: 'remove', path: '/spec' }] }, { subresource: 'status' }))).toEqual({
      line: `PATCH ${PATH}/pi/status`, type: 'application/json-patch+json', body: [{ op: 'remove', path: '/spec' }],
    });
    expect(await sent((c) => c.patch(THINGS, REF, { type: 'apply', body: { spec: {} }, fieldManager: 'me', force: true }))).toEqual({
      line: `PATCH ${PATH}/pi?fieldManager=me&force=true`,
      type: 'application/apply-patch+yaml',
      body: { apiVersion: 'test.dev/v1', kind: 'Thing', metadata: { namespace: 'default', name: 'pi' }, spec: {} },
    });
  });

  test('delete', async () => {
    server.fail(isAny, json({ kind: 'Status' }));
    await client.delete(THINGS, REF, { propagationPolicy: 'Background', preconditions: { uid: 'u' } });
    const { method, path, body } = server.requests[0]!;
    expect([method, path]).toEqual(['DELETE', `${PATH}/pi`]);
    expect(JSON.parse(body)).toEqual({
      apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', preconditions: { uid: 'u' },
    });
  });

  test('listPage and list read pages and add the type to items', async () => {
    for (const name of ['a', 'b', 'c']) server.put(thing(name));
    const page = await client.listPage(THINGS, { namespace: 'default', limit: 2, labelSelector: 'x in (y)' });
    expect(page.items.map(({ kind, apiVersion, metadata }) => [apiVersion, kind, metadata.name])).toEqual([
      ['test.dev/v1', 'Thing', 'a'], ['test.dev/v1', 'Thing', 'b'],
    ]);
    expect(page.metadata.resourceVersion).toBe('13');
    expect(server.requests[0]!.query.get('labelSelector')).toBe('x in (y)');
    const names: string[] = [];
    for await (const { metadata } of client.list(THINGS, { limit: 1 })) names.push(metadata.name);
    expect(names).toEqual(['a', 'b', 'c']);
    expect(server.requests.length).toBe(1 + 3);
  });

  test('send the credentials and the user agent', async () => {
    server.headers.authorization = 'Bearer one';
    await client.listPage(THINGS);
    server.headers.authorization = 'Bearer two';
    await client.listPage(THINGS);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer two']);
    expect(server.requests[0]!.headers['user-agent']).toBe('cdk8s-spark-operator');
  });

  test('send characters of several bytes', async () => {
    const wide = { ...thing('pi'), note: 'zürich-東京' } as Thing;
    expect((await sent((c) => c.create(THINGS, wide))).body).toEqual(wide);
  });
});

describe('a call', () => {
  test('ends with the signal\'s reason when it is aborted', async () => {
    const controller = new AbortController();
    server.fail(isAny, silence);
    const failed = failure(client.get(THINGS, REF, { signal: controller.signal }));
    await server.request(isAny);
    controller.abort(new Error('stopping'));
    expect((await failed).message).toBe('stopping');
    expect((await failure(client.get(THINGS, REF, { signal: controller.signal }))).message).toBe('stopping');
    expect(server.requests.length).toBe(1);
  });

  test('leaves no listeners on a long-lived signal', async () => {
    const { signal } = new AbortController();
    await client.listPage(THINGS, { signal });
    server.fail(isAny, status(500, 'InternalError'));
    await failure(client.listPage(THINGS, { signal }));
    server.fail(isAny, reset);
    await failure(client.listPage(THINGS, { signal }));
    server.fail(isAny, text(''));
    await client.watch(THINGS, { resourceVersion: '10', signal }, () => {});
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('needs no promise for credentials in memory', async () => {
    const atHand = new KubeClient({ ...server.connection, credentials: () => ({ headers: { authorization: 'Bearer now' }, tls: {} }) });
    await atHand.listPage(THINGS);
    expect(server.requests[0]!.headers.authorization).toBe('Bearer now');
    atHand.close();
  });

  test('is rejected before it is sent when the body is larger than a server accepts', async () => {
    const big = { ...thing('pi'), data: 'x'.repeat(4 * 1024 * 1024) } as Thing;
    expect(await failure(client.create(THINGS, big))).toMatchObject({ status: 413, reason: 'RequestEntityTooLarge' });
    expect(server.requests.length).toBe(0);
  });

  test('reuses the connection for the next call', async () => {
    const ports = new Set<number | undefined>();
    for (let i = 0; i < 5; i++) {
      server.fail(isAny, (request, response) => { ports.add(response.socket!.remotePort); json(thing('pi'))(request, response); });
      await client.get(THINGS, REF);
    }
    // undici needs a moment until a connection is idle.
    expect(ports.size).toBeLessThanOrEqual(FakeApiServer.options.newTransport ? 2 : 1);
  });

  test('is counted, whatever its outcome', async () => {
    const calls: CallStatistics[] = [];
    client = server.client({ onCall: (call) => calls.push(call) });
    await client.listPage(THINGS);
    server.fail(isAny, status(409, 'Conflict'));
    await failure(client.updateStatus(THINGS, thing('pi')));
    server.fail(isAny, reset);
    await failure(client.delete(THINGS, REF));
    expect(calls.map(({ verb, resource, status: code }) => [verb, resource, code])).toEqual([
      ['list', 'things', 200], ['update', 'things/status', 409], ['delete', 'things', 0],
    ]);
    expect(calls.every(({ seconds }) => seconds >= 0 && seconds < 10)).toBe(true);
  });

  test('waits when too many calls are under way', async () => {
    const clock = new ManualClock();
    client = server.client({ clock, qps: 10, burst: 2 });
    const calls = [1, 2, 3, 4].map(() => client.listPage(THINGS));
    await Promise.all(calls.slice(0, 2));
    expect(server.requests.length).toBe(2);
    clock.advance(100);
    await calls[2];
    expect(server.requests.length).toBe(3);
    clock.advance(100);
    await calls[3];
  });

  test('stays below the path of the server\'s URL', async () => {
    const { connection } = server;
    const behindProxy = new KubeClient({ ...connection, server: `${connection.server}/clusters/one/` });
    server.fail(isAny, json(thing('pi')));
    await behindProxy.get(THINGS, REF);
    expect(server.requests[0]!.path).toBe(`/clusters/one${PATH}/pi`);
    behindProxy.close();
  });

  test('rejects a URL of another protocol', () => {
    expect(() => new KubeClient({ server: 'ftp://x', credentials: jest.fn() })).toThrow('must start with https:// or http://');
  });
});
