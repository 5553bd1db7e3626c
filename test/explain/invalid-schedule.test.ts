/* Schedules that start no runs, because they are invalid. */
import { invalidSchedule } from '../../src/explain/invalid-schedule';

test.each<[string, object, object | undefined, RegExp | undefined]>([
  ['30 February', { schedule: '0 0 30 2 *' }, undefined, /^spec\.schedule = .* never has a run/], ['29 February', { schedule: '0 0 29 2 *' }, undefined, undefined],
  ['rejected by the operator', { schedule: '* * * * *' }, { scheduleState: 'FailedValidation', reason: 'it runs too often' }, /^it runs too often$/],
  ['accepted by the operator', { schedule: '0 0 30 2 *' }, { scheduleState: 'Scheduled', observedGeneration: 2 }, undefined],
  ['changed since', { schedule: '0 0 30 2 *' }, { scheduleState: 'Scheduled', observedGeneration: 1 }, /never has a run/],
])('%s', (_, spec, status, expected) => {
  const reason = invalidSchedule({ metadata: { name: 'a', namespace: 'jobs', generation: 2 }, spec, status } as any);
  if (expected) expect(reason).toMatch(expected);
  else expect(reason).toBeUndefined();
});
