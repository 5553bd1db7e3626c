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
  const recent = new Recent({ age: 500, size: 10, clock }, fetch);
  expect([await recent.get('a'), await recent.get('a'), await recent.get('b')]).toEqual(['a1', 'a1', 'b2']);
  time.now = 499;
  expect(await recent.get('a')).toBe('a1');
  time.now = 500;
  expect(await recent.get('a')).toBe('a3');
});

test('without an age only those who wait for it share it', async () => {
  const { fetch } = fetches();
  const recent = new Recent({ age: 0, size: 10, clock: clockAt().clock }, fetch);
  expect(await Promise.all([recent.get('a'), recent.get('a')])).toEqual(['a1', 'a1']);
  expect(await recent.get('a')).toBe('a2');
});

test('neither failures are kept, nor that there is nothing', async () => {
  const { fetch, set } = fetches();
  const recent = new Recent<string | undefined>({ age: 500, size: 10, clock: clockAt().clock }, fetch);
  set(async () => { throw new Error('no'); });
  await expect(recent.get('a')).rejects.toThrow('no');
  set(async () => undefined);
  expect(await recent.get('a')).toBeUndefined();
  set(async () => 'there');
  expect(await recent.get('a')).toBe('there');
});

test('that there is nothing is kept for a time of its own', async () => {
  const { time, clock } = clockAt();
  const { asked, fetch, set } = fetches();
  set(async () => undefined);
  const recent = new Recent<string | undefined>({ age: 500, ageOfNothing: 250, size: 10, clock }, fetch);
  await recent.get('a');
  time.now = 249;
  expect(await recent.get('a')).toBeUndefined();
  expect(asked).toEqual(['a']);
  time.now = 250;
  await recent.get('a');
  expect(asked).toEqual(['a', 'a']);
});

test('one who does not wait any more does not end it for the others', async () => {
  let come = (_: string) => {};
  const recent = new Recent<string>({ age: 500, size: 10, clock: clockAt().clock }, () => new Promise((resolve) => { come = resolve; }));
  const leaving = new AbortController();
  const left = recent.get('a', leaving.signal);
  const stays = recent.get('a', new AbortController().signal);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  come('here');
  expect(await stays).toBe('here');
});

test('only so many are kept, the newest', async () => {
  const { asked, fetch } = fetches();
  const recent = new Recent({ age: 500, size: 2, clock: clockAt().clock }, fetch);
  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await recent.get(key);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});
