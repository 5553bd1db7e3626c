import { Recent } from '../../../src/operator/admission/recent';

/** A clock that stands still. */
function clockAt(time = { now: 0 }) {
  return { time, clock: { now: () => time.now, monotonic: () => time.now, setTimeout: () => undefined, clearTimeout: () => {} } };
}

function fetches() {
  const asked: string[] = [];
  let answer: (key: string) => Promise<string | undefined> = async (key) => `${key}${asked.length}`;
  return {
    asked, set: (next: typeof answer) => { answer = next; }, fetch: (key: string) => {
      asked.push(key);
      return answer(key);
    },
  };
}

test('who asks soon after gets the same, and later something new', async () => {
  const { time, clock } = clockAt();
  const { fetch } = fetches();
  const recent = new Recent({ age: 500, limit: 10, clock }, fetch);
  expect([await recent.get('a'), await recent.get('a'), await recent.get('b')]).toEqual(['a1', 'a1', 'b2']);
  time.now = 499;
  expect(await recent.get('a')).toBe('a1');
  time.now = 500;
  expect(await recent.get('a')).toBe('a3');
});

test('without an age only those who wait for it share it', async () => {
  const { fetch } = fetches();
  const recent = new Recent({ age: 0, limit: 10, clock: clockAt().clock }, fetch);
  expect(await Promise.all([recent.get('a'), recent.get('a')])).toEqual(['a1', 'a1']);
  expect(await recent.get('a')).toBe('a2');
});

test('neither failures are kept, nor that there is nothing', async () => {
  const { fetch, set } = fetches();
  const recent = new Recent<string | undefined>({ age: 500, limit: 10, clock: clockAt().clock }, fetch);
  set(async () => { throw new Error('no'); });
  await expect(recent.get('a')).rejects.toThrow('no');
  set(async () => undefined);
  expect(await recent.get('a')).toBeUndefined();
  set(async () => 'there');
  expect(await recent.get('a')).toBe('there');
});

/** One that fetches nothing by itself: each fetch is ended by hand. */
function byHand(age = 500) {
  const begun: { readonly signal: AbortSignal; readonly come: (value: string) => void }[] = [];
  const recent = new Recent<string>({ age, limit: 10, clock: clockAt().clock }, (_, signal) => new Promise((come) => begun.push({ signal, come })));
  return { begun, recent };
}

describe('who does not wait any more', () => {
  const leaving = () => {
    const controller = new AbortController();
    return { signal: controller.signal, leave: () => controller.abort(new Error('left')) };
  };

  test('does not end it for the others', async () => {
    const { begun, recent } = byHand();
    const [one, other] = [leaving(), leaving()];
    const left = recent.get('a', one.signal);
    const stays = recent.get('a', other.signal);
    one.leave();
    await expect(left).rejects.toThrow('left');
    expect(begun[0]!.signal.aborted).toBe(false);
    begun[0]!.come('here');
    expect(await stays).toBe('here');
  });

  test('ends it as the last, and who comes then gets something new', async () => {
    const { begun, recent } = byHand();
    const all = [leaving(), leaving()];
    const left = all.map(({ signal }) => recent.get('a', signal));
    all[0]!.leave();
    expect(begun[0]!.signal.aborted).toBe(false);
    all[1]!.leave();
    expect(begun[0]!.signal.reason).toEqual(new Error('left'));
    for (const each of left) await expect(each).rejects.toThrow('left');
    const next = recent.get('a', leaving().signal);
    begun[0]!.come('what nobody waited for');
    begun[1]!.come('new');
    expect(await next).toBe('new');
    expect(await recent.get('a')).toBe('new');
  });

  test('does not end it if another has no signal', async () => {
    const { begun, recent } = byHand();
    const stays = recent.get('a');
    const one = leaving();
    const left = recent.get('a', one.signal);
    one.leave();
    await expect(left).rejects.toThrow('left');
    expect(begun[0]!.signal.aborted).toBe(false);
    begun[0]!.come('here');
    expect(await stays).toBe('here');
  });
});

describe('who means something newer', () => {
  const isNew = (value: string | undefined) => value === 'new';

  test('than what is kept has it fetched', async () => {
    const { fetch } = fetches();
    const recent = new Recent({ age: 500, limit: 10, clock: clockAt().clock }, fetch);
    expect([await recent.get('a'), await recent.get('a', undefined, (value) => value === 'a1'), await recent.get('a', undefined, isNew)]).toEqual(['a1', 'a1', 'a2']);
  });

  test('than what was being fetched when he came waits for one more fetch, with all who came meanwhile', async () => {
    const { begun, recent } = byHand();
    const first = recent.get('a', undefined, isNew);
    const others = [recent.get('a', undefined, isNew), recent.get('a', undefined, isNew)];
    begun[0]!.come('old');
    expect(await first).toBe('old');
    await new Promise(setImmediate);
    expect(begun).toHaveLength(2);
    begun[1]!.come('also old');
    expect(await Promise.all(others)).toEqual(['also old', 'also old']);
    expect(begun).toHaveLength(2);
  });

  test('and finds it under way has it', async () => {
    const { begun, recent } = byHand();
    const both = [recent.get('a', undefined, isNew), recent.get('a', undefined, isNew)];
    begun[0]!.come('new');
    expect(await Promise.all(both)).toEqual(['new', 'new']);
    expect(begun).toHaveLength(1);
  });
});

test('only so many are kept, the newest', async () => {
  const { asked, fetch } = fetches();
  const recent = new Recent({ age: 500, limit: 2, clock: clockAt().clock }, fetch);
  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await recent.get(key);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test('what is kept weighs no more than the limit', async () => {
  const { asked, fetch } = fetches();
  const recent = new Recent<string | undefined>({ age: 500, limit: 9, weigh: (value) => value!.length, clock: clockAt().clock }, fetch);
  // The answers are the keys, each with a digit.
  for (const key of ['aaa', 'bbbb', 'aaa', 'bbbb', 'ccc', 'bbbb', 'aaa']) await recent.get(key);
  expect(asked).toEqual(['aaa', 'bbbb', 'ccc', 'aaa']);
});
