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

test('the first 500 runs of a frequent schedule are returned; a disconnected client causes no work', async () => {
  const often = await plannedRuns(schedules(1, '* * * * *'), { from: FROM, to: FROM + DAY });
  expect(often['default/s0']).toHaveLength(500);
  expect(often['default/s0']!.at(-1)).toBe(FROM + 499 * 60_000);
  expect(await plannedRuns(schedules(3, '@daily'), { from: FROM, to: FROM + DAY }, () => true)).toEqual({});
});
