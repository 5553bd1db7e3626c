/* Errors of calls without an answer, or with an invalid one. */
import { getEventListeners } from 'node:events';
import { KubeClient, type CallStatistics } from '../../src/kube/client';
import { isAlreadyExists, isConflict, isForbidden, isGone, isInvalid, isNotFound, isTransient, NetworkError } from '../../src/kube/errors';
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

describe('an error answer of the server', () => {
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
  ])('%i %s is recognized, and only as this', async (code, reason, predicate) => {
    server.fail(isAny, status(code, reason, 'because'));
    const error = await failure(client.get(THINGS, REF));
    const predicates = [isNotFound, isConflict, isAlreadyExists, isGone, isForbidden, isInvalid, isTransient];
    expect(predicates.filter((is) => is(error))).toEqual([predicate]);
    expect(error).toMatchObject({ status: code, reason, serverMessage: 'because' });
    expect(error.message).toBe(`get things default/pi: ${code} ${reason}: because`);
  });

  test('contains only the first line of the server\'s message', async () => {
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

  test('of a proxy has no message', async () => {
    server.fail(isAny, text('<html>password=s3cret', 502));
    const error = await failure(client.create(THINGS, thing('pi')));
    expect(error.message).toBe('create things default/pi: 502 Unknown');
    expect(isTransient(error)).toBe(true);
  });
});

describe('429', () => {
  const busy = (retryAfter?: string) => status(429, 'TooManyRequests', 'busy', retryAfter === undefined ? {} : { 'retry-after': retryAfter });

  test('with Retry-After is retried after that time', async () => {
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

  test('is not retried after three attempts', async () => {
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

  test('is not retried for a caller that allows one attempt', async () => {
    server.fail(isAny, busy('1'));
    expect(await failure(client.get(THINGS, REF, { attempts: 1 }))).toMatchObject({ status: 429, retryAfter: 1 });
  });

  test.each([undefined, '3600', 'Wed, 21 Oct 2026 07:28:00 GMT'])('with Retry-After %p is not retried', async (retryAfter) => {
    server.fail(isAny, busy(retryAfter));
    expect(isTransient(await failure(client.listPage(THINGS)))).toBe(true);
    expect(server.requests.length).toBe(1);
  });

  test('does not wait after the caller aborts', async () => {
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
    ['an object that is not JSON', async () => server.fail(isAny, text('{"metadata":{},"items":[{"a":s3cret}]}')), 'BAD_RESPONSE'],
    ['an object that is none', async () => server.fail(isAny, json({ metadata: {}, items: [null] })), 'BAD_RESPONSE'],
    ['a body that is no list', async () => server.fail(isAny, json({ kind: 'Thing' })), 'BAD_RESPONSE'],
  ])('because of %s is a transient network error', async (_, arrange, code) => {
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

  test('within the caller\'s timeout is also a timeout, even in the middle of the body', async () => {
    const clock = new ManualClock();
    client = server.client({ clock });
    server.fail(isAny, (_, response) => response.writeHead(200).write('{'));
    const failed = failure(client.get(THINGS, REF, { timeout: 500 }));
    await server.request(isAny);
    clock.advance(500);
    expect(await failed).toMatchObject({ code: 'TIMEOUT' });
  });

  test('that is larger than allowed is not read further', async () => {
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

  test('because the caller aborts while it waits for credentials leaves no listeners', async () => {
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
