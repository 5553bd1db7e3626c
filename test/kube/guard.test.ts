import type { KubeClient } from '../../src/kube/client';
import { FakeApiServer, isAny, isList, json, type SeenRequest } from './helpers/fake-api-server';
import { thing, THINGS } from './helpers/things';

const REF = { namespace: 'default', name: 'pi' };

let server: FakeApiServer;
let mayWrite: boolean;
const asked: string[] = [];

beforeEach(async () => {
  server = await FakeApiServer.start();
  mayWrite = true;
  asked.length = 0;
});
afterEach(() => server.stop());

function client(options: { maxSockets?: number; qps?: number; burst?: number } = {}): KubeClient {
  return server.client({
    ...options,
    guard: ({ verb, name }) => {
      asked.push(`${verb} ${name}`);
      if (!mayWrite) throw new Error('not any more');
    },
  });
}

test.each<[string, (c: KubeClient) => Promise<unknown>]>([
  ['create', (c) => c.create(THINGS, thing('pi'))],
  ['update', (c) => c.update(THINGS, thing('pi', 1))],
  ['updateStatus', (c) => c.updateStatus(THINGS, thing('pi', 1))],
  ['patch', (c) => c.patch(THINGS, REF, { type: 'merge', body: {} })],
  ['delete', (c) => c.delete(THINGS, REF)],
])('%s is not sent against the guard', async (_, call) => {
  mayWrite = false;
  await expect(call(client())).rejects.toThrow('not any more');
  expect(server.requests).toEqual([]);
});

test('the client sends reads without asking the guard', async () => {
  mayWrite = false;
  const guarded = client();
  server.fail(isAny, json(thing('pi', 7)));
  await guarded.get(THINGS, REF);
  await guarded.listPage(THINGS);
  expect(asked).toEqual([]);
});

test('the client asks the guard again after a wait for the rate limit, and does not send the write', async () => {
  const guarded = client({ qps: 20, burst: 1 });
  const first = guarded.create(THINGS, thing('a')).catch(() => {});
  const second = guarded.create(THINGS, thing('b'));
  mayWrite = false;
  await expect(second).rejects.toThrow('not any more');
  await first;
  expect(server.requests.filter(({ body }) => body.includes('"b"'))).toEqual([]);
});

test('the client asks the guard again after a wait for a free connection, and does not send the write', async () => {
  let answer!: () => void;
  const guarded = client({ maxSockets: 1 });
  server.fail(isList, (request, response) => {
    answer = () => json({
      metadata: { resourceVersion: '1' }, items: [],
    })(request, response);
  });
  const slow = guarded.listPage(THINGS);
  await server.request(isList);
  const write = guarded.create(THINGS, thing('pi'));
  const failed = expect(write).rejects.toThrow('not any more');
  mayWrite = false;
  answer();
  await slow;
  await failed;
  // The connection is usable for the next call.
  mayWrite = true;
  await guarded.listPage(THINGS);
  expect(server.requests.map(({ method }: SeenRequest) => method)).toEqual(['GET', 'GET']);
});

test('the client asks the guard again after a new connection is open, and does not send the write', async () => {
  // Asked when the call is made, and by Node's client when it has a socket; then the socket connects.
  const before = FakeApiServer.options.newTransport ? 1 : 2;
  const guarded = server.client({ guard: () => { if (asked.push('') > before) throw new Error('not any more'); } });
  await expect(guarded.create(THINGS, thing('pi'))).rejects.toThrow('not any more');
  expect(server.requests).toEqual([]);
});
