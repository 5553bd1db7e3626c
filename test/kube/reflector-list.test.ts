/* Lists that cannot be read completely. */
import { ApiError } from '../../src/kube/errors';
import { FairSemaphore } from '../../src/kube/fair-semaphore';
import type { ListWatcher } from '../../src/kube/reflector';
import { type FakeApiServer, isList, type SeenRequest, status } from './helpers/fake-api-server';
import { ReflectorWorld } from './helpers/reflector-world';
import { thing } from './helpers/things';

let world: ReflectorWorld;
let server: FakeApiServer;

beforeEach(async () => {
  world = await ReflectorWorld.start();
  ({ server } = world);
});

afterEach(() => world.stop());

describe('a list whose continue token expires', () => {
  const isContinued = (request: SeenRequest) => isList(request) && request.query.has('continue');

  beforeEach(() => ['a', 'b', 'c'].forEach((name) => server.put(thing(name))));

  test('is restarted', async () => {
    server.fail(isContinued, status(410, 'Expired'));
    const { reflector, names } = world.newReflector({ pageSize: 2 });
    await world.follow(reflector);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(world.kinds()).toEqual(['list', 'list', 'list', 'list', 'watch 13']);
  });

  test('twice is read in one page', async () => {
    server.fail(isContinued, status(410, 'Expired'));
    server.fail(isContinued, status(410, 'Expired'));
    const { reflector, names, errors } = world.newReflector({ pageSize: 2 });
    await world.follow(reflector);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(server.requests.at(-2)!.query.get('limit')).toBeNull();
    expect(errors.length).toBe(2);
  });
});

describe('a list of several pages', () => {
  /**
   * Returns a client whose pages record their requests and reads. The second page has an object
   * that cannot be parsed the first time.
   */
  function telling(isBroken: boolean) {
    const told: string[] = [];
    const signals: (AbortSignal | undefined)[] = [];
    let broken = isBroken ? 1 : 0;
    function* items(page: string) {
      told.push(`read ${page}`);
      if (page === '2' && broken-- > 0) throw new Error('an object of the list cannot be read');
      yield thing(page);
    }
    const openPage = async ({}, { continue: page = '1', signal }: { continue?: string; signal?: AbortSignal }) => {
      told.push(`asked for ${page}`);
      signals.push(signal);
      return { items: items(page), metadata: { resourceVersion: '1', ...(page !== '3' && { continue: String(Number(page) + 1) }) } };
    };
    const watch = (_: unknown, { signal }: { signal: AbortSignal }) => new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return { told, signals, client: { openPage, watch } as unknown as ListWatcher };
  }

  test('requests the next page while one is read', async () => {
    const { told, client } = telling(false);
    const { reflector, names } = world.newReflector({ client });
    reflector.start();
    await reflector.hasSynced;
    expect(told).toEqual(['asked for 1', 'asked for 2', 'read 1', 'asked for 3', 'read 2', 'read 3']);
    expect(names()).toEqual(['1', '2', '3']);
  });

  test('is read again from the start if an object cannot be parsed, which is no news, and aborts the call for the next page', async () => {
    const { told, signals, client } = telling(true);
    const { reflector, names, errors } = world.newReflector({ client });
    reflector.start();
    while (errors.length === 0) await new Promise((resolve) => { setImmediate(resolve); });
    expect(names()).toEqual([]);
    expect(told.at(-1)).toBe('read 2');
    expect(signals.map((signal) => signal!.aborted)).toEqual([true, true, true]);
    await world.passBackoff();
    await reflector.hasSynced;
    expect(names()).toEqual(['1', '2', '3']);
    expect(told.filter((line) => line === 'read 1').length).toBe(2);
  });
});

describe('a client that cannot list', () => {
  test('does not end the reflector', async () => {
    const call = { verb: 'list', resource: 'things' };
    const openPage = jest.fn().mockRejectedValue(new ApiError(call, 403));
    const client = { openPage, watch: jest.fn() } as unknown as ListWatcher;
    const { reflector, errors } = world.newReflector({ client });
    reflector.start();
    for (let i = 0; i < 20; i++) await world.passBackoff();
    expect(errors.length).toBeGreaterThanOrEqual(20);
    expect(errors[0]).toBe('list things: 403 Forbidden');
  });
});

describe('several collections', () => {
  /** Returns a client that counts active lists of two pages each, and fails every other one. */
  function counting() {
    const seen = { now: 0, most: 0, pages: 0 };
    const openPage = async ({}, { continue: token }: { continue?: string }) => {
      if (!token) seen.now++;
      seen.most = Math.max(seen.most, seen.now);
      await new Promise((resolve) => setImmediate(resolve));
      const isFailing = ++seen.pages % 4 === 0;
      if (token || isFailing) seen.now--;
      if (isFailing) throw new ApiError({ verb: 'list', resource: 'things' }, 500);
      return { items: [], metadata: { resourceVersion: '1', continue: token ? undefined : 'more' } };
    };
    const watch = (_: unknown, { signal }: { signal: AbortSignal }) => new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return { seen, client: { openPage, watch } as unknown as ListWatcher };
  }

  test('are read one after the other with one place, also after failures', async () => {
    const { seen, client } = counting();
    const lists = new FairSemaphore({ limit: 1 });
    const made = Array.from({ length: 5 }, () => world.newReflector({ client, listSemaphore: lists }).reflector);
    made.forEach((reflector) => reflector.start());
    for (let turn = 0; turn < 100 && !made.every((reflector) => reflector.health().synced); turn++) {
      await world.clock.advanceAsync(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(made.map((reflector) => reflector.health().synced)).toEqual([true, true, true, true, true]);
    expect(seen).toMatchObject({ now: 0, most: 1 });
  });

  test('a reflector that is stopped while it waits for its turn ends', async () => {
    const lists = new FairSemaphore({ limit: 1 });
    await lists.enter('things');
    const { reflector } = world.newReflector({ listSemaphore: lists });
    reflector.start();
    await reflector.stop();
    expect(server.requests).toEqual([]);
  });
});
