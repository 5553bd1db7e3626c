/* The list of schedules: what needs attention comes first, and the text finds what a row shows. */
import type { Run } from '../../../src/console/page/runs';
import { scheduleList } from '../../../src/console/page/schedule-list';
import type { ScheduleRow } from '../../../src/console/wire';

const schedule = (name: string, more: Partial<ScheduleRow> = {}): ScheduleRow => (
  { namespace: 'jobs', name, uid: name, created: 0, schedule: '0 3 * * *', state: 'Scheduled', ...more }
);
const run = (name: string, state: string, cause?: string): Run => ({ name, state, created: 0, ...(cause !== undefined && { cause }) });
const ROWS = [
  schedule('nightly', { timeZone: 'Europe/Berlin', nextRun: 1 }), schedule('later', { nextRun: 2 }), schedule('failing', { nextRun: 3 }),
  schedule('paused', { suspended: true }), schedule('invalid', { state: 'FailedValidation', shortReason: 'invalid', reason: 'the time zone Mars/Olympus does not exist' }),
];
const RUNS: Readonly<Record<string, readonly Run[]>> = {
  failing: [run('failing-2', 'RUNNING'), run('failing-1', 'FAILED', "KeyError: 'b'")],
  later: [run('later-2', 'COMPLETED'), run('later-1', 'FAILED')],
  paused: [run('paused-1', 'FAILED')],
};
const listOf = (text = '', attention = false, hasOperator = true) => {
  const { list, urgent } = scheduleList(ROWS, { namespace: '', text, attention }, ({ name }) => RUNS[name] ?? [], { hasOperator });
  return [list.map(({ name }) => name).join(' '), urgent];
};

test('schedules that start no runs, or whose latest ended run failed, need attention and come first', () => {
  expect(listOf()).toEqual(['failing invalid nightly later paused', 2]);
  expect(listOf('', true)).toEqual(['failing invalid', 2]);
  expect(listOf('', true, false)).toEqual(['nightly later failing invalid', 4]);
});

test.each([
  ['europe/berlin', 'nightly'], ['FailedValidation', 'invalid'], ['mars/olympus', 'invalid'], ['Suspended', 'paused'], ["KeyError: 'b'", 'failing'],
  ['no such word', ''],
])('the text %s finds %s', (text, names) => {
  expect(listOf(text)[0]).toBe(names);
});

test('the text finds the schedules without an operator', () => {
  expect(listOf('no operator', false, false)[0]).toBe('nightly later failing');
});
