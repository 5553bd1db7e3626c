import { Steady } from '../../../src/operator/shards/steady';

test('a change counts once it has lasted, and once only', () => {
  const steady = new Steady(2_000, 15_000);
  expect([steady.see('a', 0), steady.dueIn(500)]).toEqual([false, 1_500]);
  expect([steady.see('a', 1_999), steady.see('a', 2_000), steady.dueIn(2_000), steady.see('a', 9_000)]).toEqual([false, true, undefined, false]);
});

test('what comes and goes again has never been', () => {
  const steady = new Steady(2_000, 15_000);
  steady.see('a', 0);
  steady.see('a', 2_000);
  expect([steady.see('a b', 3_000), steady.see('a', 4_500), steady.see('a b', 6_000), steady.see('a b', 7_999), steady.see('a b', 8_000)]).toEqual([false, false, false, false, true]);
});

test('a change begins to last anew with each other change, but what changes all the time counts some day', () => {
  const steady = new Steady(2_000, 15_000);
  steady.see('a', 0);
  steady.see('a', 2_000);
  const counted = Array.from({ length: 20 }, (_, second) => steady.see(`a ${second}`, 10_000 + second * 1_000));
  expect(counted.indexOf(true)).toBe(15);
  expect(counted.filter(Boolean)).toHaveLength(1);
});
