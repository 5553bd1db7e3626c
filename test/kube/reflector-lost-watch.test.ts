import { type FakeApiServer, isList, isWatch, reset, status, text } from './helpers/fake-api-server';
import { type ManualClock, settle } from './helpers/manual-clock';
import { ReflectorWorld } from './helpers/reflector-world';
import { thing } from './helpers/things';

let world: ReflectorWorld;
let server: FakeApiServer;
let clock: ManualClock;

beforeEach(async () => {
  world = await ReflectorWorld.start();
  ({ server, clock } = world);
});

afterEach(() => world.stop());

describe('a reflector that lost its watch', () => {
  test.each([
    ['the connection breaks', () => server.disconnect()],
    ['the connection breaks within an event', () => server.disconnect('{"type":"MODI')],
    ['the stream is silent for two minutes', () => { server.send(' '); clock.advance(120_000); }],
  ])('because %s resumes at its resource version', async (_, breakIt) => {
    const { reflector, has, events } = world.newReflector();
    await world.follow(reflector);
    server.put(thing('a'));
    await has('a');
    breakIt();
    server.put(thing('b'));
    await world.passBackoff();
    await has('b');
    expect(world.kinds()).toEqual(['list', 'watch 10', 'watch 11']);
    expect(events).toEqual(['added a', 'added b']);
  });

  test.each([
    ['500', status(500, 'InternalError')],
    ['503', status(503, 'ServiceUnavailable')],
    ['429', status(429, 'TooManyRequests', '', { 'retry-after': '3600' })],
    ['a broken connection', reset],
  ])('and is answered with %s retries at its resource version', async (_, fault) => {
    const { reflector, has } = world.newReflector();
    await world.follow(reflector);
    server.fail(isWatch, fault);
    server.disconnect();
    server.put(thing('a'));
    await world.passBackoff();
    await world.passBackoff();
    await has('a');
    expect(world.kinds()).toEqual(['list', 'watch 10', 'watch 10', 'watch 10']);
  });

  test.each([
    ['an HTTP status', () => server.disconnect()],
    ['an event', () => server.sendEvent('ERROR', { kind: 'Status', code: 410, reason: 'Expired' })],
  ])('and has missed too much, as %s reports, lists again and reports the difference', async (_, tell) => {
    server.put(thing('a'));
    const { reflector, has, events } = world.newReflector();
    await world.follow(reflector);
    tell();
    server.remove('a');
    server.compact();
    server.put(thing('b'));
    await world.passBackoffsUntil(has('b'));
    expect(events).toEqual(['added a', 'deleted a', 'added b']);
  });

  test.each([
    ['a line of garbage', () => server.send('<html>502 Bad Gateway</html>\n')],
    ['an error of an unknown kind', () => server.sendEvent('ERROR', { kind: 'Status', code: 400, reason: 'BadRequest' })],
    ['an error of the server in the stream', () => server.sendEvent('ERROR', { kind: 'Status', code: 500, message: 'unable to decode an object' })],
    ['an error without a form', () => server.send('{"type":"ERROR"}\n')],
    ['a resource version that the server does not know yet', () => server.sendEvent('ERROR', {
      kind: 'Status', code: 504, reason: 'Timeout', details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
    })],
    ['a bookmark of the past', () => server.sendBookmark(5)],
  ])('because of %s lists again', async (_, send) => {
    const { reflector, has } = world.newReflector();
    await world.follow(reflector);
    send();
    await clock.timer((ms) => ms <= 30_000);
    server.put(thing('a'));
    const again = server.request(isWatch);
    await world.passBackoff();
    await has('a');
    await again;
    expect(world.kinds()).toEqual(['list', 'watch 10', 'list', 'watch 11']);
  });

  test('resumes at its resource version when the server reports in the stream that it is busy', async () => {
    const { reflector } = world.newReflector();
    await world.follow(reflector);
    server.sendEvent('ERROR', { kind: 'Status', code: 429, reason: 'TooManyRequests' });
    const again = server.request(isWatch);
    await world.passBackoff();
    await again;
    expect(world.kinds()).toEqual(['list', 'watch 10', 'watch 10']);
  });

  test.each([
    ['errors', status(500, 'InternalError'), ['list', 'watch 10', 'watch 10', 'watch 10', 'list']],
    ['answers without events', text(''), ['list', 'watch 10', 'watch 10', 'watch 10', 'list']],
    ['answers that are cut off', text('{"type":"MODI'), ['list', 'watch 10', 'watch 10', 'watch 10', 'list']],
    ['connections that break', reset, ['list', 'watch 10', 'watch 10', 'watch 10', 'watch 10']],
  ])('three times without an event by %s', async (_, fault, expected) => {
    const { reflector } = world.newReflector();
    for (let time = 0; time < 4; time++) server.fail(isWatch, fault);
    reflector.start();
    for (let time = 0; time < 3; time++) await world.passBackoff();
    while (server.requests.length < expected.length) await settle();
    expect(world.kinds()).toEqual(expected);
  });

  test('resets the count after each event', async () => {
    const { reflector, has } = world.newReflector();
    await world.follow(reflector);
    for (const name of ['a', 'b', 'c', 'd']) {
      server.put(thing(name));
      await has(name);
      server.disconnect();
      const again = server.request(isWatch);
      await world.passBackoff();
      await again;
    }
    expect(world.kinds()).toEqual(['list', 'watch 10', 'watch 11', 'watch 12', 'watch 13', 'watch 14']);
  });

  test('waits longer each time, up to half a minute, and resets the wait after a watch that lasted', async () => {
    const { reflector, has } = world.newReflector();
    for (let i = 0; i < 8; i++) server.fail(isList, status(500, 'InternalError'));
    const watching = server.request(isWatch);
    reflector.start();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) waits.push(await world.passBackoff());
    expect(waits).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
    await watching;
    // The watchdog's timer shows that the client also knows the watch.
    await clock.timer((ms) => ms === 120_000);
    clock.advance(31_000);
    server.put(thing('a'));
    await has('a');
    expect(reflector.health().failures).toBe(0);
    server.disconnect();
    expect(await world.passBackoff()).toBe(800);
  });

  test('resets the wait after a watch that lasted, even without an event', async () => {
    const { reflector } = world.newReflector();
    server.fail(isList, status(500, 'InternalError'));
    server.fail(isList, status(500, 'InternalError'));
    reflector.start();
    expect([await world.passBackoff(), await world.passBackoff()]).toEqual([800, 1_600]);
    await clock.timer((ms) => ms === 120_000);
    clock.advance(40_000);
    server.disconnect();
    expect(await world.passBackoff()).toBe(800);
  });

  test('waits for the Retry-After of a busy server, plus jitter', async () => {
    const { reflector } = world.newReflector({ random: () => 0.5 });
    server.fail(isWatch, status(429, 'TooManyRequests', '', { 'retry-after': '20' }));
    await world.follow(reflector);
    expect(await world.passBackoff()).toBe(25_000);
  });

  test('waits when the server ends each watch at once', async () => {
    const { reflector, errors } = world.newReflector();
    for (let i = 0; i < 3; i++) server.fail(isWatch, text(''));
    reflector.start();
    expect([await world.passBackoff(), await world.passBackoff(), await world.passBackoff()]).toEqual([800, 1_600, 3_200]);
    expect(errors[0]).toBe('the server ended the watch after 0 ms');
  });

  test('waits when the server answers 410 repeatedly', async () => {
    const { reflector } = world.newReflector();
    for (let i = 0; i < 4; i++) server.fail(isWatch, status(410, 'Expired'));
    reflector.start();
    expect([await world.passBackoff(), await world.passBackoff(), await world.passBackoff()]).toEqual([0, 1_600, 3_200]);
  });

  test('ignores repeated and late events', async () => {
    const { reflector, store, events, has } = world.newReflector();
    await world.follow(reflector);
    const old = server.put(thing('a'));
    server.put(thing('a', undefined, { size: 1 }));
    server.sendEvent('MODIFIED', old);
    server.sendEvent('ADDED', old);
    server.remove('a');
    server.sendEvent('MODIFIED', old);
    server.sendEvent('DELETED', old);
    server.put(thing('end'));
    await has('end');
    expect(events).toEqual(['added a', 'updated a', 'deleted a', 'added end']);
    server.sendEvent('MODIFIED', old);
    server.endWatches();
    const again = server.request(isWatch);
    await world.passBackoff();
    expect((await again).query.get('resourceVersion')).toBe('14');
    expect(store.size).toBe(1);
  });

  test('accepts the state of a server that was restored from a backup', async () => {
    server.put(thing('a'));
    server.put(thing('lost'));
    const { reflector, store, has, names } = world.newReflector();
    await world.follow(reflector);
    server.restore([thing('a', 5)], 6);
    // Such a server accepts a watch from a future resource version; the bookmark reveals it.
    const watching = server.request(isWatch);
    await world.passBackoff();
    await watching;
    server.sendBookmark();
    await world.passBackoff();
    await has('lost', (object) => object === undefined);
    expect(store.get('default/a')?.metadata.resourceVersion).toBe('5');
    server.put(thing('b'));
    await has('b');
    expect(names()).toEqual(['a', 'b']);
  });
});
