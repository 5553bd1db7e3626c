/* The limits of a console in a cluster: turns, streams and hosts. */
import { FairSemaphore } from '../../../src/console/server/fair-semaphore';
import { isServedHost } from '../../../src/console/server/origin';
import { Streams } from '../../../src/console/server/streams';
import { ManualClock } from '../../kube/helpers/manual-clock';

let clock: ManualClock;
beforeEach(() => { clock = new ManualClock(); });

describe('a fair queue', () => {
  const queue = (more: Partial<ConstructorParameters<typeof FairSemaphore>[0]> = {}) => new FairSemaphore({ atOnce: 2, ofKey: 1, waiting: 3, maxWait: 5_000, clock, ...more });

  /** Enters, and notes when. */
  function visit(into: FairSemaphore, key: string, order: string[], name = key, signal?: AbortSignal) {
    const entered = into.enter(key, signal).then((leave) => {
      order.push(name);
      return leave;
    });
    entered.catch(() => {});
    return entered;
  }

  test('gives turns to keys in rotation, however many of one wait', async () => {
    const [order, turns]: [string[], FairSemaphore] = [[], queue({ atOnce: 1 })];
    const all = ['flood', 'flood', 'flood', 'ann', 'bob'].map((key, index) => visit(turns, key, order, `${key}-${index}`));
    for (const entered of [0, 1, 3, 4, 2].map((index) => all[index]!)) (await entered)();
    expect(order).toEqual(['flood-0', 'flood-1', 'ann-3', 'bob-4', 'flood-2']);
  });

  test('lets in no more of one key, though there is room', async () => {
    const [order, turns]: [string[], FairSemaphore] = [[], queue()];
    const [first, second] = ['flood', 'flood'].map((key) => visit(turns, key, order));
    (await visit(turns, 'ann', order))();
    expect(order).toEqual(['flood', 'ann']);
    (await first!)();
    await second;
    expect(order).toEqual(['flood', 'ann', 'flood']);
  });

  test('refuses at once what is too much of one key, and in time what gets no turn', async () => {
    const turns = queue();
    const leave = await turns.enter('flood');
    const waiting = [1, 2, 3].map(() => turns.enter('flood').catch((error: unknown) => error));
    const refused = { status: 503, headers: { 'retry-after': '1' } };
    await expect(turns.enter('flood')).rejects.toMatchObject(refused);
    await clock.advanceAsync(5_000);
    expect(await Promise.all(waiting)).toEqual([1, 2, 3].map(() => expect.objectContaining(refused)));
    leave();
    (await turns.enter('flood'))();
  });

  test('forgets who has gone', async () => {
    const [order, turns]: [string[], FairSemaphore] = [[], queue({ atOnce: 1 })];
    const leave = await turns.enter('ann');
    const gone = new AbortController();
    const left = visit(turns, 'bob', order, 'bob', gone.signal);
    const last = visit(turns, 'eve', order);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    leave();
    await last;
    expect(order).toEqual(['eve']);
  });
});

describe('streams', () => {
  test('are limited for each user', () => {
    const streams = new Streams({ all: 10, ofUser: 2 });
    const leave = streams.enter('ann', fail);
    streams.enter('ann', fail);
    expect(() => streams.enter('ann', fail)).toThrow(expect.objectContaining({ status: 429, message: 'ann has 2 open pages and logs, which is the limit; close some' }));
    leave();
    leave();
    streams.enter('ann', fail);
    expect(() => streams.enter('ann', fail)).toThrow();
  });

  test('of all users together are too, at the cost of the one who has most', () => {
    const streams = new Streams({ all: 5, ofUser: 3 });
    const ended: string[] = [];
    for (const name of ['flood-1', 'flood-2', 'flood-3', 'bob-1', 'bob-2']) streams.enter(name.split('-')[0]!, () => ended.push(name));
    streams.enter('ann', fail);
    expect(ended).toEqual(['flood-1']);
    // Each other user has two: one more stream takes none from them.
    expect(() => streams.enter('ann', fail)).toThrow(expect.objectContaining({ status: 503 }));
    streams.enter('eve', fail);
    expect(ended).toEqual(['flood-1', 'flood-2']);
  });

  function fail(): never {
    throw new Error('this stream was to stay');
  }
});

test.each<[string | undefined, boolean]>([
  ['spark.example.org', true], ['Spark.Example.org.:8443', true], ['10.1.2.3:8088', true], ['[fd00::1]:8088', true], ['localhost:1234', true],
  ['evil.example', false], ['spark.example.org.evil.example', false], ['127.0.0.1.evil.example:8088', false], ['localhost.evil.example', false], ['', false], [undefined, false],
])('the host %s is served: %s', (host, served) => {
  expect(isServedHost(host, new Set(['spark.example.org']))).toBe(served);
});
