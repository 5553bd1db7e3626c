import type { WatchOptions } from '../../src/kube/client';
import { sleep } from '../../src/kube/clock';
import { NetworkError } from '../../src/kube/errors';
import type { ListWatcher, Reflector } from '../../src/kube/reflector';
import type { FakeApiServer } from './helpers/fake-api-server';
import { type ManualClock, settle } from './helpers/manual-clock';
import { ReflectorWorld } from './helpers/reflector-world';
import type { Thing } from './helpers/things';

let world: ReflectorWorld;
let server: FakeApiServer;
let clock: ManualClock;

beforeEach(async () => {
  world = await ReflectorWorld.start();
  ({ server, clock } = world);
});

afterEach(() => world.stop());

describe('the silence of a watch', () => {
  /** Returns a client whose watches open, stay silent, and end after some milliseconds. */
  function silentClient(after: number, error?: Error): ListWatcher {
    const openPage = async () => ({ items: [], metadata: { resourceVersion: '10' } });
    const watch = async (_: unknown, { onActivity, signal }: WatchOptions) => {
      onActivity!();
      await sleep(clock, after, signal);
      if (error) throw error;
    };
    return { openPage, watch } as unknown as ListWatcher;
  }

  /** Returns the longest silence within some hours. */
  async function longestSilence(reflector: Reflector<Thing>): Promise<number> {
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
  ])('%s: is never long enough to be unhealthy', async (_, after, error) => {
    const { reflector } = world.newReflector({ client: silentClient(after, error) });
    // A silence of this length makes the operator not ready.
    expect(await longestSilence(reflector)).toBeLessThan(300_000);
  });

  test('lasts while only heads of answers arrive: an open watch without events might be stuck', async () => {
    const { reflector } = world.newReflector({ client: silentClient(Infinity) });
    expect(await longestSilence(reflector)).toBe(180 * 60_000);
  });

  test('ends with a bookmark', async () => {
    const { reflector } = world.newReflector();
    await world.follow(reflector);
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
