import { nextRuns } from '../../src/schedule/next-runs';
import type { RunTimes } from '../../src/schedule/expression';

const DAY = 86_400_000;

/** Daily runs, and the instants passed to `next`. */
function daily(): RunTimes & { readonly asked: number[] } {
  const asked: number[] = [];
  return {
    timeZone: 'UTC',
    asked,
    next(after) {
      asked.push(after.getTime() / DAY);
      return new Date((Math.floor(after.getTime() / DAY) + 1) * DAY);
    },
  };
}

const days = (runs: readonly Date[]) => runs.map((run) => run.getTime() / DAY);

test('returns the requested number, and searches no further', () => {
  const times = daily();
  expect(days(nextRuns(times, 3, new Date(0)))).toEqual([1, 2, 3]);
  expect(times.asked).toEqual([0, 1, 2]);
});

test('stops at an end, inclusive, and searches no further', () => {
  const times = daily();
  expect(days(nextRuns(times, 500, new Date(0), new Date(2 * DAY)))).toEqual([1, 2]);
  expect(times.asked).toEqual([0, 1, 2]);
});
