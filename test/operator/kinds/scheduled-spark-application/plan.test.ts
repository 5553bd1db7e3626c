import { planOf } from '../../../../src/operator/kinds/scheduled-spark-application/plan';
import type { ScheduledSparkApplication } from '../../../../src/model/scheduled-spark-application';

/** The times of a schedule, as they were parsed. */
function timesOf(schedule: string): unknown {
  const plan = planOf({ metadata: { namespace: 'jobs', name: 'daily', uid: 'u' }, spec: { schedule, template: {} } } as unknown as ScheduledSparkApplication, [], { now: 0 });
  return 'times' in plan && plan.times;
}

/** A schedule that differs for each number below 1440. */
const numbered = (number: number) => `${number % 60} ${Math.floor(number / 60)} * * *`;

test('128 schedules are kept as parsed', () => {
  const first = timesOf(numbered(0));
  for (let number = 1; number < 128; number++) timesOf(numbered(number));
  expect(timesOf(numbered(0))).toBe(first);
  for (let number = 200; number < 328; number++) timesOf(numbered(number));
  expect(timesOf(numbered(0))).not.toBe(first);
});

test('a long text is parsed each time', () => {
  const long = `${'1,'.repeat(1_500)}1 * * * *`;
  expect(timesOf(long)).toMatchObject({ timeZone: 'UTC' });
  expect(timesOf(long)).not.toBe(timesOf(long));
});
