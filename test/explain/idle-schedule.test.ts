/* Why an active schedule starts no runs: what the user can mend first comes first. */
import { idleSchedule } from '../../src/explain/idle-schedule';

const GONE = { isActive: false, evidence: 'no replica holds the Lease operators/a' };
const WAITING = { conditions: [{ type: 'Waiting', status: 'True', reason: 'CannotStart', message: 'exceeded quota: q' }] };
const idle = (spec: object, status: object = {}, operator?: typeof GONE) => (
  idleSchedule({ metadata: { name: 'nightly', namespace: 'jobs' }, spec: { schedule: '@daily', ...spec }, status } as any, operator)
);

test.each<[string, ReturnType<typeof idle>, string | undefined, string]>([
  ['an invalid one, also without an operator', idle({ schedule: '0 0 30 2 *' }, WAITING, GONE), 'invalid', 'never has a run'],
  ['no operator', idle({}, WAITING, GONE), 'no operator', GONE.evidence],
  ['a run that cannot be created', idle({}, WAITING), 'cannot start', 'exceeded quota: q'],
  ['no obstacle', idle({}, {}, { ...GONE, isActive: true }), undefined, ''],
  ['no obstacle since it was resumed', idle({}, { scheduleState: 'Scheduled', reason: 'spec.suspend is true' }), undefined, ''],
  ['a suspended one', idle({ suspend: true, schedule: '0 0 30 2 *' }, WAITING, GONE), undefined, ''],
])('%s', (_, found, words, text) => {
  expect(found?.words).toBe(words);
  expect(found?.sentence ?? '').toContain(text);
});
