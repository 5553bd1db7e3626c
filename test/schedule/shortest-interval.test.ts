import * as fc from 'fast-check';
import { parseSchedule } from '../../src/schedule/expression';
import { shortestInterval } from '../../src/schedule/shortest-interval';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

test.each([
  ['@every 90s', 90_000],
  ['@hourly', HOUR],
  ['* * * * *', MINUTE],
  ['*/7 * * * *', 4 * MINUTE],
  ['0,59 * * * *', MINUTE],
  ['5 * * * *', HOUR],
  ['0 0,23 * * *', HOUR],
  ['0 0,23 1 * *', 23 * HOUR],
  ['30 3 * * mon-fri', DAY],
  ['30 3 * * mon,thu', 3 * DAY],
  ['0 12 */2 * *', DAY],
  ['0 0 1 * *', 28 * DAY],
  ['0 0 31 * *', 31 * DAY],
  ['0 0 1 1 *', 365 * DAY],
  ['0 0 1 mar,nov mon', DAY],
  ['0 0 29 2 *', 4 * 365 * DAY + DAY],
  ['TZ=Europe/Berlin 0 2,3 * * *', HOUR],
])('the runs of %s are at least %d ms apart', (schedule, expected) => {
  expect(shortestInterval(parseSchedule(schedule))).toBe(expected);
});

const numbers = (min: number, max: number) => fc.oneof(
  fc.constant('*'),
  fc.integer({ min: 2, max: 9 }).map((step) => `*/${step}`),
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }).map((values) => values.join(',')),
);

test('no two runs are closer, and some have exactly this distance', () => {
  fc.assert(fc.property(numbers(0, 59), numbers(0, 23), numbers(1, 28), numbers(1, 12), numbers(0, 6), (...fields) => {
    const times = parseSchedule(fields.join(' '));
    const shortest = shortestInterval(times);
    const end = Date.UTC(2029, 0, 1);
    let run = times.next(new Date(Date.UTC(2000, 0, 1)));
    for (let after = times.next(run!); after!.getTime() - run!.getTime() !== shortest; after = times.next(run!)) {
      expect(after!.getTime() - run!.getTime()).toBeGreaterThan(shortest);
      expect(after!.getTime()).toBeLessThan(end);
      run = after;
    }
  }));
});
