import { Pauses } from '../../../src/operator/spark-application/standing-back';

test('who stands back does so for longer each time, and comes back when it is quiet', () => {
  const standing = new Pauses();
  expect(standing.remaining('a', 0)).toBe(0);
  expect(standing.noticed('a', 0)).toBe(30_000);
  expect(standing.noticed('a', 10_000)).toBe(30_000);
  expect([standing.remaining('a', 10_000), standing.remaining('b', 10_000), standing.count(10_000)]).toEqual([20_000, 0, 1]);
  expect(standing.noticed('a', 40_000)).toBe(40_000 + 60_000);
  expect(standing.noticed('a', 100_000)).toBe(100_000 + 120_000);
  for (let now = 220_000, round = 0; round < 5; round++) now = standing.noticed('a', now);
  expect(standing.remaining('a', 0)).toBe(220_000 + 240_000 + 480_000 + 3 * 600_000);
  expect(standing.noticed('a', 10_000_000)).toBe(10_030_000);
  standing.forget('a');
  expect(standing.count(10_000_000)).toBe(0);
});
