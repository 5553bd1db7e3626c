import type { KubeObject } from '../../src/kube/objects';
import { type FakeApiServer, isList, isWatch, silence, status } from './helpers/fake-api-server';
import type { ManualClock } from './helpers/manual-clock';
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

describe('a reflector', () => {
  test('lists page by page, then watches from there', async () => {
    ['a', 'b', 'c'].forEach((name) => server.put(thing(name)));
    const { reflector, store, events, has, names } = world.newReflector({ pageSize: 2, labelSelector: 'app=x', fieldSelector: 'spec.y=z' });
    await world.follow(reflector);
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
    expect(world.kinds()).toEqual(['list', 'list', 'watch 13']);
  });

  test('requests the end of the watch after some minutes, with jitter', async () => {
    const { reflector } = world.newReflector({ random: () => 0.5 });
    await world.follow(reflector);
    expect(server.requests.at(-1)!.query.get('timeoutSeconds')).toBe('360');
  });

  test('resumes at once at its resource version when the server ends the watch', async () => {
    const { reflector, has, errors } = world.newReflector();
    await world.follow(reflector);
    server.put(thing('a'));
    await has('a');
    clock.advance(5_000);
    server.sendBookmark(20);
    const again = server.request(isWatch);
    server.endWatches();
    await again;
    expect(world.kinds()).toEqual(['list', 'watch 10', 'watch 20']);
    expect(errors).toEqual([]);
  });

  test('follows one namespace', async () => {
    server.put(thing('a', undefined, { namespace: 'one' }));
    server.put(thing('b', undefined, { namespace: 'two' }));
    const { reflector, names } = world.newReflector({ namespace: 'one' });
    await world.follow(reflector);
    expect(names()).toEqual(['a']);
  });

  test('stores the transformed objects, and skips those for which the transform fails', async () => {
    server.put(thing('good'));
    server.put(thing('bad'));
    const { reflector, store, errors, has } = world.newReflector<KubeObject>({
      transform: ({ metadata: { name, namespace, uid, resourceVersion } }) => {
        if (name.startsWith('bad')) throw new Error(`cannot read ${name}`);
        return { metadata: { name, namespace, uid, resourceVersion } };
      },
    });
    await world.follow(reflector);
    server.put(thing('bad-too'));
    server.put(thing('good-too'));
    await has('good-too');
    expect(store.list().map(({ metadata, ...others }) => [metadata.name, others])).toEqual([['good', {}], ['good-too', {}]]);
    expect(errors).toEqual(['cannot read bad', 'cannot read bad-too']);
  });

  test('is not disturbed by listeners that throw', async () => {
    const { reflector, store, has, errors } = world.newReflector();
    store.subscribe(() => { throw new Error('listener'); });
    await world.follow(reflector);
    server.put(thing('a'));
    server.put(thing('b'));
    await has('b');
    expect(errors).toEqual([]);
  });

  test('leaves no connections and timers when it is stopped', async () => {
    const { reflector } = world.newReflector();
    await world.follow(reflector);
    await reflector.stop();
    expect(clock.pending).toBe(0);
    server.put(thing('a'));
    expect(await reflector.hasSynced).toBe(true);
  });

  test('can be stopped while it lists, and while it waits', async () => {
    server.fail(isList, silence);
    const listing = world.newReflector();
    const request = server.request(isList);
    listing.reflector.start();
    await request;
    await listing.reflector.stop();
    expect(await listing.reflector.hasSynced).toBe(false);

    server.fail(isList, status(500, 'InternalError'));
    const waiting = world.newReflector();
    waiting.reflector.start();
    await clock.timer((ms) => ms <= 30_000);
    await waiting.reflector.stop();
    expect(clock.pending).toBe(0);
  });

  test('reports that the server answers again', async () => {
    let signs = 0;
    server.fail(isList, status(500, 'InternalError'));
    const { reflector, errors } = world.newReflector({ onWell: () => { signs++; } });
    const watching = server.request(isWatch);
    reflector.start();
    await clock.timer((ms) => ms <= 30_000);
    expect({ signs, failures: errors.length }).toEqual({ signs: 0, failures: 1 });
    await world.passBackoff();
    await watching;
    expect(signs).toBeGreaterThan(0);
    server.put(thing('a'));
    const before = signs;
    while (signs === before) await new Promise(setImmediate);
  });

  test('reports its health', async () => {
    const { reflector } = world.newReflector();
    server.fail(isList, status(503, 'ServiceUnavailable'));
    reflector.start();
    await clock.timer((ms) => ms <= 30_000);
    expect(reflector.health()).toMatchObject({ synced: false, failures: 1, lastError: { status: 503 } });
    const watching = server.request(isWatch);
    await world.passBackoff();
    await watching;
    clock.advance(30_000);
    expect(reflector.health()).toMatchObject({ synced: true, silentFor: 30_000 });
  });
});
