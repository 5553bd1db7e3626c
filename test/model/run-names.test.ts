import { TIMESTAMP_PRECISIONS } from '../../src/model/timestamp-precision';
import type { ScheduledSparkApplication } from '../../src/model/scheduled-spark-application';
import { boundedValue } from '../../src/model/bounded-metadata';
import { runName, runNowName, timeOfRunName } from '../../src/model/run-names';

const TIME = Date.parse('2026-03-02T03:00:00Z');
const schedule = (name: string, uid = 'u') => ({ metadata: { name, namespace: 'jobs', uid } }) as ScheduledSparkApplication;

test.each([
  ['minutes', 'nightly-29540340'], ['seconds', 'nightly-1772420400'], ['millis', 'nightly-1772420400000'],
  ['micros', 'nightly-1772420400000000'], ['nanos', 'nightly-1772420400000000000'],
] as const)('the time of a run in %s', (precision, name) => {
  expect(runName('nightly', TIME, precision)).toBe(name);
  expect(timeOfRunName('nightly', name)).toBe(TIME);
});

test('known failure 14: schedules with names of any length have runs and drivers with distinct names that are DNS labels', () => {
  for (const precision of TIMESTAMP_PRECISIONS) {
    const schedules = [...'ab'].flatMap((last) => [45, 46, 52, 62].map((length) => `${'ab-c.'.repeat(30).slice(0, length)}${last}`));
    const names = schedules.flatMap((name) => [TIME, TIME + 30_000, TIME + 60_000].map((time) => runName(name, time, precision)));
    expect(new Set(names).size).toBe(names.length);
    for (const name of [...names, ...schedules.map((each) => runNowName(schedule(each), 'x'))]) {
      expect(`${name}-driver`.length).toBeLessThanOrEqual(63);
      expect(name).toMatch(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/);
      expect(name).not.toMatch(/[-.]\.|\.-/);
    }
  }
  expect(runName('n'.repeat(60), TIME, 'seconds')).toMatch(/^n{36}-[0-9a-f]{8}-1772420400$/);
});

test('a requested run has its own name for each value and each schedule', () => {
  const names = [runNowName(schedule('nightly'), 'a'), runNowName(schedule('nightly'), 'b'), runNowName(schedule('nightly', 'later'), 'a')];
  expect(new Set(names).size).toBe(3);
  expect(runNowName(schedule('nightly'), 'a')).toBe(names[0]);
});

test('the scheduled time follows from the name of the run, even a shortened one, but not from other names', () => {
  const long = 'n'.repeat(60);
  expect(timeOfRunName(long, runName(long, TIME, 'seconds'))).toBe(TIME);
  expect(timeOfRunName('nightly', 'nightly-now-1772420400')).toBeUndefined();
  expect(timeOfRunName('nightly', 'weekly-1772420400')).toBeUndefined();
});

test('a long value and its hash request the same run', () => {
  const token = 'a'.repeat(100_000);
  expect(runNowName(schedule('nightly'), token)).toBe(runNowName(schedule('nightly'), boundedValue(token)));
});

test('boundedValue never returns a long value', () => {
  expect(boundedValue('a'.repeat(253))).toHaveLength(253);
  expect(boundedValue('a'.repeat(100_000))).toMatch(/^sha256:[0-9a-f]{64}$/);
});
