import { getEventListeners } from 'node:events';
import { KubeClient, type CallStatistics, type WatchEvent, type WatchOptions } from '../../../src/operator/kube/client';
import {
  ApiError, isAlreadyExists, isConflict, isForbidden, isGone, isInvalid, isNotFound, isTransient, NetworkError,
} from '../../../src/operator/kube/errors';
import { FakeApiServer, isAny, isWatch, json, reset, silence, status, text } from './helpers/fake-api-server';
import { ManualClock } from './helpers/manual-clock';
import { type Thing, thing, THINGS } from './helpers/things';

let server: FakeApiServer;
let client: KubeClient;

beforeEach(async () => {
  server = await FakeApiServer.start();
  client = server.client();
});

afterEach(() => server.stop());

const REF = { namespace: 'default', name: 'pi' };
const PATH = '/apis/test.dev/v1/namespaces/default/things';

/** What the server is sent by a call that it answers with the thing `pi`. */
async function sent(call: (c: KubeClient) => Promise<unknown>) {
  server.fail(isAny, json(thing('pi', 7)));
  expect(await call(client)).toEqual(thing('pi', 7));
  const { method, path, query, headers, body } = server.requests.at(-1)!;
  return { line: `${method} ${path}${query.size ? `?${query}` : ''}`, type: headers['content-type'], body: body && JSON.parse(body) };
}

/** The error that a call rejects with. */
async function failure(call: Promise<unknown>): Promise<ApiError & NetworkError> {
  return call.then(() => { throw new Error('it did not fail'); }, (error) => error);
}

describe('the verbs', () => {
  test('get', async () => {
    expect(await sent((c) => c.get(THINGS, REF))).toEqual({ line: `GET ${PATH}/pi`, type: undefined, body: '' });
  });

  test('create fills in the type', async () => {
    const { metadata, spec } = thing('pi');
    expect(await sent((c) => c.create(THINGS, { metadata, spec }, { dryRun: true }))).toEqual({
      line: `POST ${PATH}?dryRun=All`, type: 'application/json', body: thing('pi'),
    });
  });

  test('update and updateStatus', async () => {
    expect(await sent((c) => c.update(THINGS, thing('pi', 6)))).toEqual({ line: `PUT ${PATH}/pi`, type: 'application/json', body: thing('pi', 6) });
    expect((await sent((c) => c.updateStatus(THINGS, thing('pi', 6)))).line).toBe(`PUT ${PATH}/pi/status`);
  });

  test('patch says which kind of patch it is', async () => {
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

  test('listPage and list read pages and give items their type', async () => {
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

  test('send the credentials and the name of the program', async () => {
    server.headers.authorization = 'Bearer one';
    await client.listPage(THINGS);
    server.headers.authorization = 'Bearer two';
    await client.listPage(THINGS);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer two']);
    expect(server.requests[0]!.headers['user-agent']).toBe('cdk8s-spark-operator');
  });

  test('send letters of several bytes', async () => {
    const wide = { ...thing('pi'), note: 'zürich-東京' } as Thing;
    expect((await sent((c) => c.create(THINGS, wide))).body).toEqual(wide);
  });
});

describe('an error that the server answers', () => {
  test.each([
    [404, 'NotFound', isNotFound],
    [409, 'Conflict', isConflict],
    [409, 'AlreadyExists', isAlreadyExists],
    [410, 'Expired', isGone],
    [403, 'Forbidden', isForbidden],
    [422, 'Invalid', isInvalid],
    [429, 'TooManyRequests', isTransient],
    [500, 'InternalError', isTransient],
    [503, 'ServiceUnavailable', isTransient],
  ])('%i %s is recognised, as nothing else', async (code, reason, predicate) => {
    server.fail(isAny, status(code, reason, 'because'));
    const error = await failure(client.get(THINGS, REF));
    const predicates = [isNotFound, isConflict, isAlreadyExists, isGone, isForbidden, isInvalid, isTransient];
    expect(predicates.filter((is) => is(error))).toEqual([predicate]);
    expect(error).toMatchObject({ status: code, reason, serverMessage: 'because' });
    expect(error.message).toBe(`get things default/pi: ${code} ${reason}: because`);
  });

  test('tells of nothing but the first line of the server\'s message', async () => {
    server.headers.authorization = 'Bearer s3cret';
    server.fail(isAny, status(422, 'Invalid', 'spec: Forbidden\n{"env":"s3cret"}'));
    const error = await failure(client.update(THINGS, { ...thing('pi'), spec: { size: 5 }, password: 's3cret' } as Thing));
    expect(error.message).toBe('update things default/pi: 422 Invalid: spec: Forbidden');
    expect(JSON.stringify({ ...error, stack: error.stack })).not.toContain('s3cret');
  });

  test('has the server\'s details, which loggers do not print', async () => {
    server.fail(isAny, json({ kind: 'Status', reason: 'Invalid', details: { causes: [{ field: 'spec.size' }] } }, 422));
    const error = await failure(client.get(THINGS, REF));
    expect(error.details).toEqual({ causes: [{ field: 'spec.size' }] });
    expect(Object.keys(error)).not.toContain('details');
  });

  test('of a proxy on the way has no words of its own', async () => {
    server.fail(isAny, text('<html>password=s3cret', 502));
    const error = await failure(client.create(THINGS, thing('pi')));
    expect(error.message).toBe('create things default/pi: 502 Unknown');
    expect(isTransient(error)).toBe(true);
  });
});

describe('429', () => {
  const busy = (retryAfter?: string) => status(429, 'TooManyRequests', 'busy', retryAfter === undefined ? {} : { 'retry-after': retryAfter });

  test('with Retry-After is tried again after that time', async () => {
    const clock = new ManualClock();
    const called: CallStatistics[] = [];
    client = server.client({ clock, random: () => 0.5, onCall: (call) => called.push(call) });
    server.fail(isAny, busy('2'));
    const answer = client.listPage(THINGS);
    await clock.timer((ms) => ms === 2_500);
    clock.advance(2_500);
    expect((await answer).items).toEqual([]);
    expect(called.map((call) => call.status)).toEqual([429, 200]);
  });

  test('is given up after three attempts', async () => {
    const clock = new ManualClock();
    client = server.client({ clock, random: () => 0 });
    for (let i = 0; i < 3; i++) server.fail(isAny, busy('1'));
    const failed = failure(client.listPage(THINGS));
    for (let i = 0; i < 2; i++) {
      await clock.timer((ms) => ms === 1_000);
      clock.advance(1_000);
    }
    expect(await failed).toMatchObject({ status: 429, retryAfter: 1 });
    expect(server.requests.length).toBe(3);
  });

  test('is left at once to a caller who wants but one attempt', async () => {
    server.fail(isAny, busy('1'));
    expect(await failure(client.get(THINGS, REF, { attempts: 1 }))).toMatchObject({ status: 429, retryAfter: 1 });
  });

  test.each([undefined, '3600', 'Wed, 21 Oct 2026 07:28:00 GMT'])('with Retry-After %p is left to the caller', async (retryAfter) => {
    server.fail(isAny, busy(retryAfter));
    expect(isTransient(await failure(client.listPage(THINGS)))).toBe(true);
    expect(server.requests.length).toBe(1);
  });

  test('waits no longer than the caller', async () => {
    const clock = new ManualClock();
    client = server.client({ clock, random: () => 0 });
    server.fail(isAny, busy('5'));
    const controller = new AbortController();
    const failed = failure(client.listPage(THINGS, { signal: controller.signal }));
    await clock.timer((ms) => ms === 5_000);
    controller.abort(new Error('enough'));
    expect((await failed).message).toBe('enough');
    expect(clock.pending).toBe(0);
  });
});

describe('no usable answer', () => {
  test.each([
    ['a refused connection', async () => {
      client = new KubeClient(server.connection, { qps: 0 });
      await server.stop();
    }, 'ECONNREFUSED'],
    ['a connection that breaks', async () => server.fail(isAny, reset), 'ECONNRESET'],
    ['a body that is cut off', async () => server.fail(isAny, (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"kind":', () => response.destroy());
    }), 'CUT_OFF'],
    ['a body that is not JSON', async () => server.fail(isAny, text('{"kind": s3cret')), 'BAD_RESPONSE'],
    ['a body that is no list', async () => server.fail(isAny, json({ kind: 'Thing' })), 'BAD_RESPONSE'],
  ])('because of %s is a passing network error', async (_, arrange, code) => {
    await arrange();
    const error = await failure(client.listPage(THINGS, { namespace: 'default' }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^list things default\/\*: /);
    expect(error.message).not.toContain('s3cret');
    expect(isTransient(error)).toBe(true);
  });

  test('in time is a timeout', async () => {
    const clock = new ManualClock();
    client = server.client({ clock });
    server.fail(isAny, silence);
    const failed = failure(client.get(THINGS, REF));
    await server.request(isAny);
    clock.advance(30_000);
    expect(await failed).toMatchObject({ code: 'TIMEOUT', message: 'get things default/pi: no complete answer within 30000 ms' });
    expect(clock.pending).toBe(0);
  });

  test('in the time that the caller gives is a timeout too, also in the middle of the body', async () => {
    const clock = new ManualClock();
    client = server.client({ clock });
    server.fail(isAny, (_, response) => response.writeHead(200).write('{'));
    const failed = failure(client.get(THINGS, REF, { timeout: 500 }));
    await server.request(isAny);
    clock.advance(500);
    expect(await failed).toMatchObject({ code: 'TIMEOUT' });
  });

  test('that is larger than allowed is read no further', async () => {
    client = server.client({ maxResponseBytes: 100 });
    server.fail(isAny, text('x'.repeat(10_000)));
    expect(await failure(client.get(THINGS, REF))).toMatchObject({ code: 'TOO_LARGE' });
  });

  test('because there are no credentials, or only after the timeout', async () => {
    const clock = new ManualClock();
    const refused = new KubeClient({ ...server.connection, credentials: async () => { throw new Error('no token file'); } });
    expect(await failure(refused.get(THINGS, REF))).toMatchObject({
      code: 'CREDENTIALS', message: 'get things default/pi: no credentials: no token file',
    });
    const refusedAtOnce = new KubeClient({ ...server.connection, credentials: () => { throw new Error('no token file'); } });
    expect(await failure(refusedAtOnce.get(THINGS, REF))).toMatchObject({ code: 'CREDENTIALS' });
    const hanging = new KubeClient({ ...server.connection, credentials: () => new Promise(() => {}) }, { clock });
    const failed = failure(hanging.get(THINGS, REF));
    await clock.timer((ms) => ms === 30_000);
    clock.advance(30_000);
    expect(await failed).toMatchObject({ code: 'TIMEOUT' });
    expect(clock.pending).toBe(0);
  });

  test('because the caller stops while it waits for credentials leaves nothing behind', async () => {
    const controller = new AbortController();
    let asked = () => {};
    const waiting = new Promise<void>((resolve) => { asked = resolve; });
    const hanging = new KubeClient({ ...server.connection, credentials: () => { asked(); return new Promise(() => {}); } });
    const failed = failure(hanging.get(THINGS, REF, { signal: controller.signal }));
    await waiting;
    controller.abort(new Error('stopping'));
    expect((await failed).message).toBe('stopping');
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    expect(server.requests.length).toBe(0);
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

  test('leaves nothing behind on a signal that lives longer', async () => {
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

  test('needs no promise for credentials that are at hand', async () => {
    const atHand = new KubeClient({ ...server.connection, credentials: () => ({ headers: { authorization: 'Bearer now' }, tls: {} }) });
    await atHand.listPage(THINGS);
    expect(server.requests[0]!.headers.authorization).toBe('Bearer now');
    atHand.close();
  });

  test('is refused before it is sent when the body is more than a server takes', async () => {
    const big = { ...thing('pi'), data: 'x'.repeat(4 * 1024 * 1024) } as Thing;
    expect(await failure(client.create(THINGS, big))).toMatchObject({ status: 413, reason: 'RequestEntityTooLarge' });
    expect(server.requests.length).toBe(0);
  });

  test('keeps the connection for the next one', async () => {
    const ports = new Set<number | undefined>();
    for (let i = 0; i < 5; i++) {
      server.fail(isAny, (request, response) => { ports.add(response.socket!.remotePort); json(thing('pi'))(request, response); });
      await client.get(THINGS, REF);
    }
    expect(ports.size).toBe(1);
  });

  test('is counted, whatever becomes of it', async () => {
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

  test('waits its turn when there are too many', async () => {
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

  test('does not go to a server that is no web server', () => {
    expect(() => new KubeClient({ server: 'ftp://x', credentials: jest.fn() })).toThrow('must start with https:// or http://');
  });
});

describe('a watch', () => {
  /** Watches from the server's present state on. */
  function watch(options: Partial<WatchOptions> = {}, onEvent?: (event: WatchEvent<Thing>) => void) {
    const events: string[] = [];
    const ended = client.watch(THINGS, { resourceVersion: String(server.resourceVersion), ...options }, (event) => {
      events.push(`${event.type} ${event.object.metadata.resourceVersion}`);
      onEvent?.(event);
    });
    // Heard in any case: a test may ask for the failure only later.
    ended.catch(() => {});
    return { events, ended, failed: async () => failure(ended) };
  }

  test('hands on events and bookmarks until the server ends it', async () => {
    const { events, ended } = watch({ timeoutSeconds: 300, namespace: 'default' });
    const { query } = await server.request(isWatch);
    expect(Object.fromEntries(query)).toEqual({ watch: 'true', allowWatchBookmarks: 'true', resourceVersion: '10', timeoutSeconds: '300' });
    server.put(thing('a'));
    server.put(thing('a', undefined, { size: 1 }));
    server.remove('a');
    server.sendBookmark(20);
    server.endWatches();
    await ended;
    expect(events).toEqual(['ADDED 11', 'MODIFIED 12', 'DELETED 13', 'BOOKMARK 20']);
  });

  test('puts together what arrives in pieces, letters of several bytes included', async () => {
    const line = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'zürich-東京', resourceVersion: '11' } } })}\n`);
    const names: string[] = [];
    server.fail(isWatch, (_, response) => {
      response.writeHead(200);
      const rest = [...Buffer.concat([line, Buffer.from('\n'), line])];
      const next = () => rest.length > 0 ? response.write(Buffer.from([rest.shift()!]), next) : response.end();
      next();
    });
    await client.watch(THINGS, { resourceVersion: '10' }, (event) => names.push((event.object as Thing).metadata.name));
    expect(names).toEqual(['zürich-東京', 'zürich-東京']);
  });

  test.each([
    ['HTTP status', () => server.fail(isWatch, status(410, 'Expired', 'too old'))],
    ['event', () => server.fail(isWatch, text(`${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })}\n`))],
  ])('is told by a 410 as %s that its resource version is too old', async (_, arrange) => {
    arrange();
    expect(isGone(await watch().failed())).toBe(true);
  });

  test.each([
    ['a connection that breaks', '', 'CUT_OFF'],
    ['a connection that breaks within an event', '{"type":"ADD', 'CUT_OFF'],
    ['a line that is not JSON', 'garbage s3cret\n', 'BAD_RESPONSE'],
    ['an event of an unknown form', '{"type":"WHAT"}\n', 'BAD_RESPONSE'],
    ['null', 'null\n', 'BAD_RESPONSE'],
    ['an event without an object', '{"type":"ADDED"}\n', 'BAD_RESPONSE'],
    ['an event that is too large', `{"type":"${'x'.repeat(2_000)}`, 'TOO_LARGE'],
  ])('fails on %s', async (_, sentText, code) => {
    client = server.client({ maxEventBytes: 1_000 });
    const { failed } = watch();
    await server.request(isWatch);
    server.disconnect(sentText);
    const error = await failed();
    expect(error).toMatchObject({ code });
    expect(error.message).not.toContain('s3cret');
  });

  test('whose end comes in the middle of an event has failed', async () => {
    server.fail(isWatch, text('{"type":"ADDED"'));
    expect(await watch().failed()).toMatchObject({ code: 'CUT_OFF' });
  });

  test('that is silent for too long counts as dead; every byte gives it new time', async () => {
    const clock = new ManualClock();
    client = server.client({ clock });
    let heard = () => {};
    let activity = 0;
    const { failed } = watch({ onActivity: () => { activity++; heard(); } });
    await server.request(isWatch);
    await new Promise<void>((resolve) => { heard = resolve; if (activity > 0) resolve(); });
    clock.advance(119_000);
    const bookmark = new Promise<void>((resolve) => { heard = resolve; });
    server.sendBookmark();
    await bookmark;
    clock.advance(119_999);
    expect(activity).toBe(2);
    clock.advance(1);
    expect(await failed()).toMatchObject({ code: 'IDLE', message: 'watch things: nothing arrived for 120000 ms' });
    expect(clock.pending).toBe(0);
  });

  test('that is not even answered is given up after the timeout', async () => {
    const clock = new ManualClock();
    client = server.client({ clock });
    server.fail(isWatch, silence);
    const { failed } = watch();
    await server.request(isWatch);
    clock.advance(30_000);
    expect(await failed()).toMatchObject({ code: 'TIMEOUT' });
  });

  test('hands on nothing any more once it is aborted', async () => {
    const controller = new AbortController();
    const { events, failed } = watch({ signal: controller.signal }, () => controller.abort(new Error('stopping')));
    await server.request(isWatch);
    const line = JSON.stringify({ type: 'ADDED', object: thing('a', 11) });
    server.send(`${line}\n${line}\n`);
    expect((await failed()).message).toBe('stopping');
    expect(events.length).toBe(1);
  });

  test('passes over what the caller knows, unread', async () => {
    const { events, ended } = watch({ isKnown: ({ resourceVersion }) => resourceVersion === '11' });
    await server.request(isWatch);
    server.send('{"type":"ADDED","object":{"metadata":{"resourceVersion":"11"},garbage\n');
    server.sendBookmark(12);
    server.endWatches();
    await ended;
    expect(events).toEqual(['BOOKMARK 12']);
  });

  test('does not take up one of the connections that are for calls', async () => {
    client = server.client({ maxSockets: 1 });
    const controller = new AbortController();
    const watches = [1, 2, 3].map(() => watch({ signal: controller.signal }));
    await client.listPage(THINGS);
    controller.abort(new Error('stopping'));
    await Promise.all(watches.map(({ failed }) => failed()));
  });
});
