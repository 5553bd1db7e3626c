import { type FakeApiServer, isWatch } from './helpers/fake-api-server';
import { type ManualClock, settle } from './helpers/manual-clock';
import { ReflectorWorld } from './helpers/reflector-world';
import { type Thing, thing } from './helpers/things';

let world: ReflectorWorld;
let server: FakeApiServer;
let clock: ManualClock;

beforeEach(async () => {
  world = await ReflectorWorld.start();
  ({ server, clock } = world);
});

afterEach(() => world.stop());

describe('the event of an own write', () => {
  test('is not transformed, but it is news, and the watch resumes after it', async () => {
    const project = jest.fn((object: Thing) => object);
    const { reflector, store, has } = world.newReflector({ transform: project });
    await world.follow(reflector);
    clock.advance(7_000);
    const own = thing('own', server.resourceVersion + 1);
    store.upsert(own);
    server.put(own);
    while (store.knownResourceVersion() !== own.metadata.resourceVersion) await settle();
    expect(reflector.health().silentFor).toBe(0);
    const again = server.request(isWatch);
    server.endWatches();
    await again;
    expect(world.kinds()).toEqual(['list', 'watch 10', 'watch 11']);

    // Another client makes the next write, and the deletion.
    server.put(thing('own', undefined, { size: 1 }));
    await has('own', (object) => object?.spec?.size === 1);
    server.remove('own');
    await has('own', (object) => object === undefined);
    expect(project.mock.calls.map(([{ metadata }]) => metadata.resourceVersion)).toEqual(['12', '13']);
  });

  test('that deletes the object is parsed, although it has the resource version of the write', async () => {
    // The same happens for an object that the write removes from the watch's selection.
    const { reflector, store, has } = world.newReflector();
    await world.follow(reflector);
    const own = thing('own', 11);
    store.upsert(own);
    server.sendEvent('DELETED', own);
    await has('own', (object) => object === undefined);
  });
});
