/* Runs of schedules: with those that are deleted, and in the schedule's zone. */
import { executorsNow, executorsText } from '../../../src/console/page/exit';
import { attemptsText } from '../../../src/console/page/format';
import { applicationsBySchedule, deletedRunText, laterRunsText, plannedText, runDuration, runNow, runsOf, skippedText } from '../../../src/console/page/runs';
import { Rows } from '../../../src/console/page/rows';
import { zonedText, zoneOf } from '../../../src/console/page/zone';
import type { ApplicationRow, FinishedRun, ScheduleRow } from '../../../src/console/wire';

const SCHEDULE: ScheduleRow = { namespace: 'jobs', name: 'nightly', uid: 'a', created: 0, schedule: '0 3 * * *', state: 'Scheduled' };
const application = (name: string, more: Partial<ApplicationRow> = {}): ApplicationRow => (
  { namespace: 'jobs', name, uid: name, state: 'COMPLETED', created: 0, attempts: 1, schedule: 'nightly', ...more }
);
const record = (name: string, more: Partial<FinishedRun> = {}): FinishedRun => ({ name, created: 0, state: 'COMPLETED', ...more });

test('the runs are the applications of the schedule, and finished ones that were deleted, the newest first', () => {
  const rows = new Rows();
  const put = [
    application('nightly-2', { scheduledAt: 2, state: 'FAILED', reason: 'OOMKilled' }), application('nightly-3', { scheduledAt: 3, state: 'RUNNING' }),
    application('other', { namespace: 'elsewhere' }),
  ];
  rows.apply({ applications: { put } });
  const finished = [record('nightly-1', { scheduledAt: 1, ended: 9, state: 'FAILED', cause: 'no column x' }), record('nightly-2', { scheduledAt: 2 })];
  const runs = runsOf({ ...SCHEDULE, finished }, applicationsBySchedule(rows).get('jobs/nightly'));
  expect(runs.map(({ name, state, cause, application: existing }) => [name, state, cause, existing !== undefined])).toEqual([
    ['nightly-3', 'RUNNING', undefined, true], ['nightly-2', 'FAILED', 'OOMKilled', true], ['nightly-1', 'FAILED', 'no column x', false],
  ]);
});

test('"Run now" says what the concurrency policy makes of an active run', () => {
  const [active, ended] = [runsOf(SCHEDULE, [application('nightly-3', { state: 'RUNNING' })]), runsOf(SCHEDULE, [application('nightly-2')])];
  const now = { question: 'One run starts now, in addition to the scheduled ones.' };
  expect(runNow(SCHEDULE, active)).toEqual(now);
  expect(runNow({ ...SCHEDULE, suspended: true }, active)).toEqual({ question: 'One run starts now; the schedule stays suspended.' });
  expect([runNow({ ...SCHEDULE, concurrencyPolicy: 'Forbid' }, ended), runNow({ ...SCHEDULE, concurrencyPolicy: 'Replace' }, ended)]).toEqual([now, now]);
  expect(runNow({ ...SCHEDULE, concurrencyPolicy: 'Forbid' }, active)).toEqual({ ...now, disabledReason: 'nightly-3 has not ended, and spec.concurrencyPolicy is Forbid' });
  expect(runNow({ ...SCHEDULE, concurrencyPolicy: 'Replace' }, active)).toEqual({ question: 'One run starts now. nightly-3 and any other active run are deleted.' });
});

test('times have the zone of the schedule beside that of the user', () => {
  const at = Date.parse('2026-03-01T02:00:00Z');
  expect([zoneOf(SCHEDULE), zoneOf({ ...SCHEDULE, timeZone: 'Europe/Berlin' }), zoneOf({ ...SCHEDULE, schedule: 'CRON_TZ=Asia/Tokyo 0 3 * * *' })])
    .toEqual(['UTC', 'Europe/Berlin', 'Asia/Tokyo']);
  expect(zonedText(at, 'Europe/Berlin', ' = ', 'UTC')).toMatch(/^ = Sun,? 03:00(.AM)? Europe\/Berlin$/);
  expect([zonedText(at, 'UTC', '', 'UTC'), zonedText(at, 'No/Where', '', 'UTC')]).toEqual(['', '']);
});

test('the number of planned runs; of a frequent schedule it is a round lower limit, as only some are known', () => {
  const everyMinute = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  expect([plannedText([], 0), plannedText([1, 2], 1), plannedText(everyMinute(500), 0)]).toEqual(['0 runs', '1 run', '500 runs']);
  expect([plannedText(everyMinute(815), 0), plannedText(everyMinute(501), 0), plannedText(everyMinute(501), 60)]).toEqual([
    'more than 500 runs', 'more than 500 runs', 'more than 400 runs',
  ]);
});

test('a run lasts from its creation, with all attempts, but not before it has begun', () => {
  const rows = [application('a', { begun: 3_000, ended: 9_000 }), application('b', { begun: 3_000 }), application('c', { state: 'SUSPENDED' }), application('d', { ended: 9_000 })];
  expect(runsOf(SCHEDULE, rows).map((run) => runDuration(run, 20_000))).toEqual([9_000, 20_000, 0, 9_000]);
  expect(runDuration(runsOf({ ...SCHEDULE, finished: [record('e', { ended: 5_000 })] })[0]!, 20_000)).toBe(5_000);
});

test('planned runs are not counted before they have been read', () => {
  expect([undefined, 'it is stopping'].map((error) => laterRunsText(undefined, error, 0))).toEqual(['', ' Later runs cannot be read: it is stopping.']);
  expect([[], [1, 2, 5 * 86_400_000 + 1]].map((planned) => laterRunsText(planned, 'old', 0))).toEqual([0, 2].map((count) => ` The next five days have ${count} runs.`));
});

test('the executors of an attempt, with the reasons of those that failed', () => {
  expect(executorsText({ requested: 4, peak: 3, failed: 0, failures: [] })).toBe('peak 3 of 4');
  expect(executorsText({
    peak: 3, failed: 4, failures: [{ reason: 'OOMKilled', exitCode: 137, count: 2 }, { reason: 'Error', exitCode: 52, count: 1 }, { reason: 'Other', count: 1 }],
  })).toBe('peak 3; 4 failed: OOMKilled, exit code 137 (2); exit code 52: out of memory: a Java OutOfMemoryError; Other');
});

test('executors that are gone did not fail for certain: Spark removes idle ones', () => {
  const row = { ...application('pi', { state: 'RUNNING' }), executors: { running: 1, pending: 0, completed: 0, failed: 0, unknown: 4 } };
  expect(executorsNow(row, undefined)).toBe('1 running, 0 pending, 0 completed, 0 failed, 4 unknown');
});

test('a suspended application has the executors and attempts of its last run', () => {
  const attempt = (peak: number, to?: number) => ({
    number: 1, submissionId: 'a', from: 0, state: 'STOPPED', executors: { requested: 1, peak, failed: 0, failures: [] }, ...(to !== undefined && { to }),
  });
  const [suspended, counts] = [application('pi', { state: 'SUSPENDED' }), { running: 1, pending: 0, completed: 0, failed: 0 }];
  expect([executorsNow(suspended, attempt(1, 9)), executorsNow(suspended, attempt(1)), executorsNow({ ...suspended, executors: counts }, attempt(1))])
    .toEqual(['peak 1 of 1', 'peak 1 of 1', '1 running, 0 pending, 0 completed, 0 failed']);
  expect([executorsNow(suspended, attempt(0, 9)), executorsNow(suspended, attempt(0)), executorsNow(suspended, undefined)]).toEqual(['none', 'none yet', 'none yet']);
  // One that never started has not failed, although it is FAILED in the status.
  const failed = { ...application('pi', { state: 'FAILED' }), ended: 9, executors: { ...counts, running: 0, failed: 1 } };
  expect(executorsNow(failed, attempt(0, 9))).toBe('none');
  expect([executorsNow(suspended, { ...attempt(0, 9), number: 2 }), executorsNow(suspended, { ...attempt(1, 9), number: 2 })]).toEqual([
    'attempt 2: none', 'attempt 2: peak 1 of 1',
  ]);
  expect([attemptsText(0, 1), attemptsText(1, 2), attemptsText(3, 3), attemptsText(3, 0)]).toEqual(['1', '1 (2 with earlier runs)', '3', '3']);
});

test('a latest run that was deleted before it ended is named', () => {
  const row = { namespace: 'jobs', name: 'nightly', uid: 'u', created: 0, schedule: '@daily', state: 'Scheduled', lastRunName: 'nightly-2' };
  const run = (name: string) => ({ name, created: 0, state: 'COMPLETED' });
  expect([deletedRunText(row, [run('nightly-1')]), deletedRunText(row, [run('nightly-2')]), deletedRunText({ ...row, lastRunName: undefined }, [])])
    .toEqual(['The latest run, nightly-2, does not exist any more.', undefined, undefined]);
});

test('the latest skipped run is in words', () => {
  const message = 'Skipped the run of 2026-03-01T10:00:00Z: nightly-1 has not ended, and spec.concurrencyPolicy is Forbid';
  expect(skippedText([{ at: 0, message: 'Skipped another' }, { at: 60_000, message }], 180_000))
    .toBe('Last skipped 2m ago: the run of 2026-03-01T10:00:00Z: nightly-1 has not ended, and spec.concurrencyPolicy is Forbid');
});
