import { ManualClock } from './helpers/manual-clock';
import { SingleFlightCache, type SingleFlightCacheOptions } from '../../src/kube/single-flight-cache';

type Call = (signal: AbortSignal, key: string) => Promise<string | undefined>;

let clock: ManualClock;
beforeEach(() => { clock = new ManualClock(); });

/** Returns a cache and its calls; a default answer is the key with the number of the call. */
function cacheWith(options: Partial<SingleFlightCacheOptions<string | undefined>> = {}) {
  const asked: string[] = [];
  const calls: { answer: Call } = { answer: async (_, key) => `${key}${asked.length}` };
  const cache = new SingleFlightCache<string | undefined>({ age: 500, limit: 10, clock, ...options });
  const get = (key: string, signal?: AbortSignal, isFresh?: (answer: string | undefined) => boolean) => cache.get(key, (ending) => {
    asked.push(key);
    return calls.answer(ending, key);
  }, signal, isFresh);
  return { asked, calls, get };
}

/** Returns a cache whose calls the test answers. */
function answeredByHand() {
  const { calls, get } = cacheWith();
  const begun: { readonly signal: AbortSignal; readonly answer: (value: string) => void }[] = [];
  calls.answer = (signal) => new Promise((answer) => begun.push({ signal, answer }));
  return { begun, get };
}

test('an answer is used until its age, then there is a new call', async () => {
  const { get } = cacheWith();
  expect([await get('a'), await get('a'), await get('b')]).toEqual(['a1', 'a1', 'b2']);
  await clock.advanceAsync(499);
  expect(await get('a')).toBe('a1');
  await clock.advanceAsync(1);
  expect(await get('a')).toBe('a3');
});

test.each([{ age: 0 }, { limit: 0 }])('with %j callers only share the call under way', async (options) => {
  const { get } = cacheWith(options);
  expect(await Promise.all([get('a'), get('a')])).toEqual(['a1', 'a1']);
  expect(await get('a')).toBe('a2');
});

test('failures and undefined are not cached', async () => {
  const { calls, get } = cacheWith();
  calls.answer = async () => { throw new Error('no'); };
  await expect(Promise.all([get('a'), get('a')])).rejects.toThrow('no');
  calls.answer = async () => undefined;
  expect(await get('a')).toBeUndefined();
  calls.answer = async () => 'there';
  expect(await get('a')).toBe('there');
});

describe('a caller that leaves', () => {
  const leaving = () => {
    const controller = new AbortController();
    return { signal: controller.signal, leave: () => controller.abort(new Error('left')) };
  };

  test.each(['with a signal', 'without a signal'])('does not end the call of another %s', async (other) => {
    const { begun, get } = answeredByHand();
    const one = leaving();
    const left = get('a', one.signal);
    const stays = get('a', other === 'with a signal' ? leaving().signal : undefined);
    one.leave();
    await expect(left).rejects.toThrow('left');
    expect(begun[0]!.signal.aborted).toBe(false);
    begun[0]!.answer('here');
    expect(await stays).toBe('here');
  });

  test('ends the call as the last one, and the next caller gets a new call', async () => {
    const { begun, get } = answeredByHand();
    const all = [leaving(), leaving()];
    const left = all.map(({ signal }) => get('a', signal));
    all[0]!.leave();
    expect(begun[0]!.signal.aborted).toBe(false);
    all[1]!.leave();
    expect(begun[0]!.signal.reason).toEqual(new Error('left'));
    for (const each of left) await expect(each).rejects.toThrow('left');
    const next = get('a', leaving().signal);
    begun[0]!.answer('too late');
    begun[1]!.answer('new');
    expect(await next).toBe('new');
    expect(await get('a')).toBe('new');
  });

  test('before it asks makes no call', async () => {
    const { begun, get } = answeredByHand();
    await expect(get('a', AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    expect(begun).toEqual([]);
  });
});

describe('a caller that needs a newer answer', () => {
  const isNew = (answer: string | undefined) => answer === 'new';

  test('than the cached one gets a new call', async () => {
    const { get } = cacheWith();
    expect([await get('a'), await get('a', undefined, (answer) => answer === 'a1'), await get('a', undefined, isNew)]).toEqual(['a1', 'a1', 'a2']);
  });

  test('than that of the call under way shares the next call with all who came meanwhile', async () => {
    const { begun, get } = answeredByHand();
    const first = get('a', undefined, isNew);
    const others = [get('a', undefined, isNew), get('a', undefined, isNew)];
    begun[0]!.answer('old');
    expect(await first).toBe('old');
    await new Promise(setImmediate);
    expect(begun).toHaveLength(2);
    begun[1]!.answer('also old');
    expect(await Promise.all(others)).toEqual(['also old', 'also old']);
    expect(begun).toHaveLength(2);
  });

  test('and finds it under way shares that call', async () => {
    const { begun, get } = answeredByHand();
    const both = [get('a', undefined, isNew), get('a', undefined, isNew)];
    begun[0]!.answer('new');
    expect(await Promise.all(both)).toEqual(['new', 'new']);
    expect(begun).toHaveLength(1);
  });
});

test('the number of cached answers is limited; the least recently used goes first', async () => {
  const { asked, get } = cacheWith({ limit: 2 });
  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await get(key);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test('the cached answers weigh no more than the limit', async () => {
  const { asked, get } = cacheWith({ limit: 9, weigh: (answer) => answer!.length });
  for (const key of ['aaa', 'bbbb', 'aaa', 'bbbb', 'ccc', 'bbbb', 'aaa']) await get(key);
  expect(asked).toEqual(['aaa', 'bbbb', 'ccc', 'aaa']);
});
