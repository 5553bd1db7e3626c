import * as fc from 'fast-check';
import type { WatchOptions } from '../../../src/operator/kube/client';
import { sleep } from '../../../src/operator/kube/clock';
import { ApiError, NetworkError } from '../../../src/operator/kube/errors';
import { silentLogger } from '../../../src/operator/kube/logger';
import { keyOf, type KubeObject } from '../../../src/operator/kube/objects';
import { type ListWatcher, Reflector, type ReflectorOptions } from '../../../src/operator/kube/reflector';
import { Store } from '../../../src/operator/kube/store';
import { FakeApiServer, isList, isWatch, reset, type SeenRequest, silence, status, text } from './helpers/fake-api-server';
import { ManualClock, settle } from './helpers/manual-clock';
import { type Thing, thing, THINGS } from './helpers/things';

let server: FakeApiServer;
let clock: ManualClock;
const reflectors: Reflector<Thing, never>[] = [];

beforeEach(async () => {
  server = await FakeApiServer.start();
  clock = new ManualClock();
});

afterEach(async () => {
  await Promise.all(reflectors.splice(0).map((reflector) => reflector.stop()));
  await server.stop();
});

/** A reflector of the server's things, its store, and what it has reported. */
function newReflector<P extends KubeObject = Thing>(options: Partial<ReflectorOptions<Thing, P>> = {}) {
  const store = new Store<P>();
  const errors: string[] = [];
  const events: string[] = [];
  let onEvent = () => {};
  store.subscribe(({ type, object }) => { events.push(`${type} ${object.metadata.name}`); onEvent(); });
  const reflector = new Reflector<Thing, P>({
    client: server.client({ clock, random: () => 0, timeout: 60_000 }),
    resource: THINGS,
    store,
    logger: silentLogger,
    onError: (error) => errors.push(error.message),
    clock,
    random: () => 0,
    ...options,
  });
  reflectors.push(reflector as never);
  /** Resolves when the store has this object, in a state that fits. */
  const has = async (name: string, fits: (object: P | undefined) => boolean = (object) => object !== undefined) => {
    while (!fits(store.get(`default/${name}`))) await new Promise<void>((resolve) => { onEvent = resolve; });
  };
  const names = () => store.list().map(({ metadata }) => metadata.name).sort();
  return { reflector, store, errors, events, has, names };
}

/** Starts it and waits until it watches. */
async function follow(reflector: Reflector<Thing, never>) {
  const watching = server.request(isWatch);
  reflector.start();
  await watching;
}

/** Lets the time of the next wait pass, and returns how long it was. */
async function passBackoff(): Promise<number> {
  // The deadlines of calls and watches are longer than any wait.
  await clock.timer((ms) => ms <= 30_000);
  const wait = clock.untilNext!;
  clock.advance(wait);
  return wait;
}

/** Lets all waits pass until something has happened. */
async function passBackoffsUntil(happened: Promise<void>): Promise<void> {
  let done = false;
  void happened.then(() => { done = true; });
  while (!done) await Promise.race([happened, passBackoff()]);
}

const kinds = () => server.requests.map((request) => isWatch(request) ? `watch ${request.query.get('resourceVersion')}` : 'list');

describe('a reflector', () => {
  test('lists, page by page, then watches from there on', async () => {
    ['a', 'b', 'c'].forEach((name) => server.put(thing(name)));
    const { reflector, store, events, has, names } = newReflector({ pageSize: 2, labelSelector: 'app=x', fieldSelector: 'spec.y=z' });
    await follow(reflector as never);
    expect(await reflector.hasSynced).toBe(true);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(store.get('default/a')).toEqual(server.state()['default/a']);
    expect(server.requests.map(({ query }) => [query.get('limit'), query.get('labelSelector'), query.get('fieldSelector')])).toEqual([
      ['2', 'app=x', 'spec.y=z'], ['2', 'app=x', 'spec.y=z'], [null, 'app=x', 'spec.y=z'],
    ]);

    server.put(thing('d'));
    server.remove('a');
    await has('a', (object) => object === undefined);
    expect(names()).toEqual(['b', 'c', 'd']);
    expect(events).toEqual(['added a', 'added b', 'added c', 'added d', 'deleted a']);
    expect(kinds()).toEqual(['list', 'list', 'watch 13']);
  });

  test('asks for the end of the watch after some minutes, not always the same', async () => {
    const { reflector } = newReflector({ random: () => 0.5 });
    await follow(reflector as never);
    expect(server.requests.at(-1)!.query.get('timeoutSeconds')).toBe('360');
  });

  test('goes on at once, from where it was, when the server ends the watch', async () => {
    const { reflector, has, errors } = newReflector();
    await follow(reflector as never);
    server.put(thing('a'));
    await has('a');
    clock.advance(5_000);
    server.sendBookmark(20);
    const again = server.request(isWatch);
    server.endWatches();
    await again;
    expect(kinds()).toEqual(['list', 'watch 10', 'watch 20']);
    expect(errors).toEqual([]);
  });

  test('follows one namespace', async () => {
    server.put(thing('a', undefined, { namespace: 'one' }));
    server.put(thing('b', undefined, { namespace: 'two' }));
    const { reflector, names } = newReflector({ namespace: 'one' });
    await follow(reflector as never);
    expect(names()).toEqual(['a']);
  });

  test('keeps of an object what the projection keeps, and leaves out those that it fails for', async () => {
    server.put(thing('good'));
    server.put(thing('bad'));
    const { reflector, store, errors, has } = newReflector<KubeObject>({
      project: ({ metadata: { name, namespace, uid, resourceVersion } }) => {
        if (name.startsWith('bad')) throw new Error(`cannot read ${name}`);
        return { metadata: { name, namespace, uid, resourceVersion } };
      },
    });
    await follow(reflector as never);
    server.put(thing('bad-too'));
    server.put(thing('good-too'));
    await has('good-too');
    expect(store.list().map(({ metadata, ...others }) => [metadata.name, others])).toEqual([['good', {}], ['good-too', {}]]);
    expect(errors).toEqual(['cannot read bad', 'cannot read bad-too']);
  });

  test('is not disturbed by listeners that throw', async () => {
    const { reflector, store, has, errors } = newReflector();
    store.subscribe(() => { throw new Error('listener'); });
    await follow(reflector as never);
    server.put(thing('a'));
    server.put(thing('b'));
    await has('b');
    expect(errors).toEqual([]);
  });

  test('leaves nothing behind when it is stopped', async () => {
    const { reflector } = newReflector();
    await follow(reflector as never);
    await reflector.stop();
    expect(clock.pending).toBe(0);
    server.put(thing('a'));
    expect(await reflector.hasSynced).toBe(true);
  });

  test('can be stopped while it lists, and while it waits', async () => {
    server.fail(isList, silence);
    const listing = newReflector();
    const request = server.request(isList);
    listing.reflector.start();
    await request;
    await listing.reflector.stop();
    expect(await listing.reflector.hasSynced).toBe(false);

    server.fail(isList, status(500, 'InternalError'));
    const waiting = newReflector();
    waiting.reflector.start();
    await clock.timer((ms) => ms <= 30_000);
    await waiting.reflector.stop();
    expect(clock.pending).toBe(0);
  });

  test('says how it is', async () => {
    const { reflector } = newReflector();
    server.fail(isList, status(503, 'ServiceUnavailable'));
    reflector.start();
    await clock.timer((ms) => ms <= 30_000);
    expect(reflector.health()).toMatchObject({ synced: false, failures: 1, lastError: { status: 503 } });
    const watching = server.request(isWatch);
    await passBackoff();
    await watching;
    clock.advance(30_000);
    expect(reflector.health()).toMatchObject({ synced: true, silentFor: 30_000 });
  });
});

describe('the silence of a watch', () => {
  /** A client whose watches open, stay silent, and end after some milliseconds. */
  function silentClient(after: number, error?: Error): ListWatcher {
    const listPage = async () => ({ items: [], metadata: { resourceVersion: '10' } });
    const watch = async (_: unknown, { onActivity, signal }: WatchOptions) => {
      onActivity!();
      await sleep(clock, after, signal);
      if (error) throw error;
    };
    return { listPage, watch } as unknown as ListWatcher;
  }

  /** The longest silence of some hours. */
  async function longestSilence(reflector: Reflector<Thing, never>): Promise<number> {
    let longest = 0;
    reflector.start();
    for (let minute = 0; minute < 180; minute++) {
      await clock.advanceAsync(60_000);
      longest = Math.max(longest, reflector.health().silentFor);
    }
    return longest;
  }

  const CALL = { verb: 'watch', resource: 'things' };

  test.each([
    ['that counts as dead after two minutes, as a server without bookmarks lets it be', 120_000, new NetworkError(CALL, 'IDLE', 'nothing arrived')],
    ['that a proxy cuts off each minute', 60_000, new NetworkError(CALL, 'CUT_OFF', 'cut off')],
    ['that the server ends in its time', 110_000, undefined],
  ])('%s: it never is long enough to be unwell', async (_, after, error) => {
    const { reflector } = newReflector({ client: silentClient(after, error) });
    // So long without news makes the operator not ready.
    expect(await longestSilence(reflector as never)).toBeLessThan(300_000);
  });

  test('goes on for as long as nothing but the head of answers comes: an open watch that tells nothing may be stuck', async () => {
    const { reflector } = newReflector({ client: silentClient(Infinity) });
    expect(await longestSilence(reflector as never)).toBe(180 * 60_000);
  });

  test('ends with a bookmark', async () => {
    const { reflector } = newReflector();
    await follow(reflector as never);
    await clock.timer((ms) => ms === 120_000);
    clock.advance(60_000);
    server.send(' ');
    server.sendBookmark(11);
    while (reflector.health().silentFor > 0) await settle();
    server.send(' ');
    clock.advance(50_000);
    expect(reflector.health().silentFor).toBe(50_000);
  });
});

describe('a reflector that lost its watch', () => {
  test.each([
    ['the connection breaks', () => server.disconnect()],
    ['the connection breaks within an event', () => server.disconnect('{"type":"MODI')],
    ['the stream is silent for two minutes', () => { server.send(' '); clock.advance(120_000); }],
  ])('because %s goes on where it was', async (_, breakIt) => {
    const { reflector, has, events } = newReflector();
    await follow(reflector as never);
    server.put(thing('a'));
    await has('a');
    breakIt();
    server.put(thing('b'));
    await passBackoff();
    await has('b');
    expect(kinds()).toEqual(['list', 'watch 10', 'watch 11']);
    expect(events).toEqual(['added a', 'added b']);
  });

  test.each([
    ['500', status(500, 'InternalError')],
    ['503', status(503, 'ServiceUnavailable')],
    ['429', status(429, 'TooManyRequests', '', { 'retry-after': '3600' })],
    ['a broken connection', reset],
  ])('and is answered with %s tries again where it was', async (_, fault) => {
    const { reflector, has } = newReflector();
    await follow(reflector as never);
    server.fail(isWatch, fault);
    server.disconnect();
    server.put(thing('a'));
    await passBackoff();
    await passBackoff();
    await has('a');
    expect(kinds()).toEqual(['list', 'watch 10', 'watch 10', 'watch 10']);
  });

  test.each([
    ['an HTTP status', () => server.disconnect()],
    ['an event', () => server.sendEvent('ERROR', { kind: 'Status', code: 410, reason: 'Expired' })],
  ])('and has missed too much, as %s tells, lists again and tells the difference', async (_, tell) => {
    server.put(thing('a'));
    const { reflector, has, events } = newReflector();
    await follow(reflector as never);
    tell();
    server.remove('a');
    server.compact();
    server.put(thing('b'));
    await passBackoffsUntil(has('b'));
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
    const { reflector, has } = newReflector();
    await follow(reflector as never);
    send();
    await clock.timer((ms) => ms <= 30_000);
    server.put(thing('a'));
    const again = server.request(isWatch);
    await passBackoff();
    await has('a');
    await again;
    expect(kinds()).toEqual(['list', 'watch 10', 'list', 'watch 11']);
  });

  test('goes on where it was when the server says in the stream that it is busy', async () => {
    const { reflector } = newReflector();
    await follow(reflector as never);
    server.sendEvent('ERROR', { kind: 'Status', code: 429, reason: 'TooManyRequests' });
    const again = server.request(isWatch);
    await passBackoff();
    await again;
    expect(kinds()).toEqual(['list', 'watch 10', 'watch 10']);
  });

  test.each([
    ['errors', status(500, 'InternalError'), ['list', 'watch 10', 'watch 10', 'watch 10', 'list']],
    ['answers without events', text(''), ['list', 'watch 10', 'watch 10', 'watch 10', 'list']],
    ['answers that are cut off', text('{"type":"MODI'), ['list', 'watch 10', 'watch 10', 'watch 10', 'list']],
    ['connections that break', reset, ['list', 'watch 10', 'watch 10', 'watch 10', 'watch 10']],
  ])('three times in vain by %s', async (_, fault, expected) => {
    const { reflector } = newReflector();
    for (let time = 0; time < 4; time++) server.fail(isWatch, fault);
    reflector.start();
    for (let time = 0; time < 3; time++) await passBackoff();
    while (server.requests.length < expected.length) await settle();
    expect(kinds()).toEqual(expected);
  });

  test('counts anew after each event', async () => {
    const { reflector, has } = newReflector();
    await follow(reflector as never);
    for (const name of ['a', 'b', 'c', 'd']) {
      server.put(thing(name));
      await has(name);
      server.disconnect();
      const again = server.request(isWatch);
      await passBackoff();
      await again;
    }
    expect(kinds()).toEqual(['list', 'watch 10', 'watch 11', 'watch 12', 'watch 13', 'watch 14']);
  });

  test('waits longer and longer, up to half a minute, and begins anew after a watch that held', async () => {
    const { reflector, has } = newReflector();
    for (let i = 0; i < 8; i++) server.fail(isList, status(500, 'InternalError'));
    const watching = server.request(isWatch);
    reflector.start();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) waits.push(await passBackoff());
    expect(waits).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
    await watching;
    // The watchdog's timer is the sign that the client knows of the watch, too.
    await clock.timer((ms) => ms === 120_000);
    clock.advance(31_000);
    server.put(thing('a'));
    await has('a');
    expect(reflector.health().failures).toBe(0);
    server.disconnect();
    expect(await passBackoff()).toBe(800);
  });

  test('begins anew with its waits after a watch that held, even if nothing happened in it', async () => {
    const { reflector } = newReflector();
    server.fail(isList, status(500, 'InternalError'));
    server.fail(isList, status(500, 'InternalError'));
    reflector.start();
    expect([await passBackoff(), await passBackoff()]).toEqual([800, 1_600]);
    await clock.timer((ms) => ms === 120_000);
    clock.advance(40_000);
    server.disconnect();
    expect(await passBackoff()).toBe(800);
  });

  test('waits for as long as a busy server says, and a little longer than others', async () => {
    const { reflector } = newReflector({ random: () => 0.5 });
    server.fail(isWatch, status(429, 'TooManyRequests', '', { 'retry-after': '20' }));
    await follow(reflector as never);
    expect(await passBackoff()).toBe(25_000);
  });

  test('does not hurry when the server ends each watch at once', async () => {
    const { reflector, errors } = newReflector();
    for (let i = 0; i < 3; i++) server.fail(isWatch, text(''));
    reflector.start();
    expect([await passBackoff(), await passBackoff(), await passBackoff()]).toEqual([800, 1_600, 3_200]);
    expect(errors[0]).toBe('the server ended the watch after 0 ms');
  });

  test('does not hurry when the server says 410 again and again', async () => {
    const { reflector } = newReflector();
    for (let i = 0; i < 4; i++) server.fail(isWatch, status(410, 'Expired'));
    reflector.start();
    expect([await passBackoff(), await passBackoff(), await passBackoff()]).toEqual([0, 1_600, 3_200]);
  });

  test('ignores events that come twice or late', async () => {
    const { reflector, store, events, has } = newReflector();
    await follow(reflector as never);
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
    await passBackoff();
    expect((await again).query.get('resourceVersion')).toBe('14');
    expect(store.size).toBe(1);
  });

  test('believes a server that was restored from a backup', async () => {
    server.put(thing('a'));
    server.put(thing('lost'));
    const { reflector, store, has, names } = newReflector();
    await follow(reflector as never);
    server.restore([thing('a', 5)], 6);
    // Such a server accepts a watch from a resource version that is yet to come; the bookmark gives it away.
    const watching = server.request(isWatch);
    await passBackoff();
    await watching;
    server.sendBookmark();
    await passBackoff();
    await has('lost', (object) => object === undefined);
    expect(store.get('default/a')?.metadata.resourceVersion).toBe('5');
    server.put(thing('b'));
    await has('b');
    expect(names()).toEqual(['a', 'b']);
  });
});

describe('a list whose continue token expires', () => {
  const isContinued = (request: SeenRequest) => isList(request) && request.query.has('continue');

  beforeEach(() => ['a', 'b', 'c'].forEach((name) => server.put(thing(name))));

  test('is begun again', async () => {
    server.fail(isContinued, status(410, 'Expired'));
    const { reflector, names } = newReflector({ pageSize: 2 });
    await follow(reflector as never);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(kinds()).toEqual(['list', 'list', 'list', 'list', 'watch 13']);
  });

  test('twice is read in one piece', async () => {
    server.fail(isContinued, status(410, 'Expired'));
    server.fail(isContinued, status(410, 'Expired'));
    const { reflector, names, errors } = newReflector({ pageSize: 2 });
    await follow(reflector as never);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(server.requests.at(-2)!.query.get('limit')).toBeNull();
    expect(errors.length).toBe(2);
  });
});

describe('the event of an own write', () => {
  test('is not read, yet it is heard, and the watch is resumed after it', async () => {
    const project = jest.fn((object: Thing) => object);
    const { reflector, store, has } = newReflector({ project });
    await follow(reflector as never);
    clock.advance(7_000);
    const own = thing('own', server.resourceVersion + 1);
    store.upsert(own);
    server.put(own);
    while (store.knownResourceVersion() !== own.metadata.resourceVersion) await settle();
    expect(reflector.health().silentFor).toBe(0);
    const again = server.request(isWatch);
    server.endWatches();
    await again;
    expect(kinds()).toEqual(['list', 'watch 10', 'watch 11']);

    // The next write to it, and its end, are somebody else's.
    server.put(thing('own', undefined, { size: 1 }));
    await has('own', (object) => object?.spec?.size === 1);
    server.remove('own');
    await has('own', (object) => object === undefined);
    expect(project.mock.calls.map(([{ metadata }]) => metadata.resourceVersion)).toEqual(['12', '13']);
  });

  test('that deletes the object is read, although its number is that of the write', async () => {
    // So it is for an object that the write takes out of what the watch selects.
    const { reflector, store, has } = newReflector();
    await follow(reflector as never);
    const own = thing('own', 11);
    store.upsert(own);
    server.sendEvent('DELETED', own);
    await has('own', (object) => object === undefined);
  });
});

describe('a client that cannot list', () => {
  test('does not end the reflector', async () => {
    const call = { verb: 'list', resource: 'things' };
    const listPage = jest.fn().mockRejectedValue(new ApiError(call, 403));
    const client = { listPage, watch: jest.fn() } as unknown as ListWatcher;
    const { reflector, errors } = newReflector({ client });
    reflector.start();
    for (let i = 0; i < 20; i++) await passBackoff();
    expect(errors.length).toBeGreaterThanOrEqual(20);
    expect(errors[0]).toBe('list things: 403 Forbidden');
  });
});

describe('a reflector, whatever happens to it', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), name, size: fc.nat(3) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
    fc.record({ do: fc.constant('replace' as const), name, size: fc.nat(3) }),
    fc.record({ do: fc.constant('disconnect' as const), text: fc.constantFrom(undefined, '', '{"type":"ADD', 'garbage\n') }),
    fc.record({ do: fc.constant('end' as const) }),
    fc.record({ do: fc.constant('compact' as const) }),
    fc.record({ do: fc.constant('bookmark' as const) }),
    fc.record({ do: fc.constant('gone' as const) }),
    fc.record({ do: fc.constant('failList' as const), fault: fc.constantFrom(reset, status(500, 'InternalError'), status(410, 'Expired')) }),
    fc.record({ do: fc.constant('failWatch' as const), fault: fc.constantFrom(reset, status(500, 'InternalError'), status(410, 'Expired'), text('')) }),
    fc.record({ do: fc.constant('ownWrite' as const), name, size: fc.nat(3) }),
    { weight: 4, arbitrary: fc.record({ do: fc.constant('pause' as const) }) },
  );

  test('ends in the server\'s state, and its events lead there', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 3 }), async (steps, pageSize) => {
      const faulty = await FakeApiServer.start();
      const store = new Store<Thing>();
      const replayed = new Map<string, Thing>();
      const problems: string[] = [];
      store.subscribe((event) => {
        const key = keyOf(event.object.metadata);
        if (replayed.has(key) === (event.type === 'added')) problems.push(`${event.type} ${key}`);
        if (event.type === 'deleted') replayed.delete(key);
        else replayed.set(key, event.object);
      });
      // With the real clock, yet hardly any waits.
      const reflector = new Reflector<Thing>({
        client: faulty.client(), resource: THINGS, store, pageSize, logger: silentLogger, minBackoff: 1, maxBackoff: 4,
      });
      reflector.start();
      try {
        for (const current of steps) {
          switch (current.do) {
            case 'put':
              faulty.put(thing(current.name, undefined, { size: current.size, uid: faulty.state()[`default/${current.name}`]?.metadata.uid }));
              break;
            case 'ownWrite':
              store.upsert(faulty.put(thing(current.name, undefined, {
                size: current.size, uid: faulty.state()[`default/${current.name}`]?.metadata.uid,
              })));
              break;
            case 'remove':
              faulty.remove(current.name);
              break;
            case 'replace':
              faulty.remove(current.name);
              faulty.put(thing(current.name, undefined, { size: current.size, uid: `uid-${faulty.resourceVersion}` }));
              break;
            case 'disconnect': faulty.disconnect(current.text); break;
            case 'end': faulty.endWatches(); break;
            case 'compact': faulty.compact(); break;
            case 'bookmark': faulty.sendBookmark(); break;
            case 'gone': faulty.sendEvent('ERROR', { kind: 'Status', code: 410 }); break;
            case 'failList': faulty.fail(isList, current.fault); break;
            case 'failWatch': faulty.fail(isWatch, current.fault); break;
            case 'pause': await new Promise((resolve) => setImmediate(resolve)); break;
          }
        }
        // Faults that were not met are met now; the last thing is then seen by whatever watch there is.
        await reflector.hasSynced;
        const last = keyOf(faulty.put(thing('last')).metadata);
        while (!store.get(last)) await new Promise((resolve) => setTimeout(resolve, 1));

        const sorted = (objects: Iterable<Thing>) => Object.fromEntries([...objects].map((o) => [keyOf(o.metadata), o]));
        expect(sorted(store.list())).toEqual(faulty.state());
        const content = (objects: Record<string, Thing>) => Object.entries(objects).map(([key, { metadata, spec }]) => [key, metadata.uid, spec]).sort();
        expect(content(Object.fromEntries(replayed))).toEqual(content(faulty.state()));
        expect(problems).toEqual([]);
      } finally {
        await reflector.stop();
        await faulty.stop();
      }
    }), { numRuns: 100 });
  }, 30_000);
});
