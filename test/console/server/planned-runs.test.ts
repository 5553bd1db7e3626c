/* Planned runs: a console must serve other requests while it computes them. */
import { plannedRuns } from '../../../src/console/server/planned-runs';
import type { ScheduledSparkApplication } from '../../../src/model/scheduled-spark-application';

const FROM = Date.parse('2026-03-01T00:00:00Z');
const DAY = 86_400_000;

function schedules(count: number, schedule: string): Record<string, ScheduledSparkApplication> {
  const one = { metadata: { name: 's', namespace: 'default' }, spec: { schedule, timeZone: 'Europe/Berlin' } } as ScheduledSparkApplication;
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`default/s${index}`, one]));
}

/** Counts how often other work ran until a promise settled. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const ended = work.then(() => { isDone = true; });
  while (!isDone) {
    await new Promise((resolve) => { setImmediate(resolve); });
    turns++;
  }
  await ended;
  return turns;
}

test('other work runs between schedules, and between the many runs of one', async () => {
  expect(await turnsDuring(plannedRuns(schedules(20, '0 0 29 2 *'), { from: FROM, to: FROM + DAY }))).toBeGreaterThanOrEqual(20);
  expect(await turnsDuring(plannedRuns(schedules(1, '* * * * *'), { from: FROM, to: FROM + DAY }))).toBeGreaterThanOrEqual(10);
});

test('a schedule of every three minutes looks like a line of marks up to the end of five days', async () => {
  const { 'default/s0': runs = [] } = await plannedRuns(schedules(1, '*/3 * * * *'), { from: FROM, to: FROM + 5 * DAY });
  // A day has more than 160 pixels on a screen of 1400, and a mark three.
  expect(Math.max(...runs.slice(1).map((run, index) => run - runs[index]!))).toBeLessThanOrEqual(DAY / 150);
  expect(runs.length).toBeLessThan(1_500);
});

test('a frequent schedule has its first 500 runs, and others up to the end; a disconnected client causes no work', async () => {
  const often = await plannedRuns(schedules(1, '* * * * *'), { from: FROM, to: FROM + DAY });
  const runs = often['default/s0']!;
  expect(runs.slice(0, 500)).toEqual(Array.from({ length: 500 }, (_, index) => FROM + index * 60_000));
  const gaps = runs.slice(500).map((run, index) => run - runs[499 + index]!);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(4 * 60_000);
  expect([runs.length < 1_000, FROM + DAY - runs.at(-1)! <= 4 * 60_000]).toEqual([true, true]);
  expect(await plannedRuns(schedules(3, '@daily'), { from: FROM, to: FROM + DAY }, () => true)).toEqual({});
});
