/* Schedules whose due run cannot be created. */
import { blockedSchedule } from '../../src/explain/blocked-schedule';

const QUOTA = 'the API server does not create SparkApplication nightly-1: sparkapplications.sparkoperator.k8s.io "nightly-1" is forbidden: exceeded quota: q, requested: count/sparkapplications.sparkoperator.k8s.io=1, used: 0, limited: 0';
const schedule = (spec: object, condition: object): any => ({
  metadata: { name: 'nightly', namespace: 'jobs' }, spec: { schedule: '@daily', ...spec },
  status: { conditions: [{ type: 'Waiting', status: 'True', reason: 'CannotStart', message: QUOTA, ...condition }] },
});

test('have the reason of the refusal', () => {
  expect(blockedSchedule(schedule({}, {}))).toContain('exceeded quota: q');
});

test.each<[string, object, object]>([
  ['a suspended one', { suspend: true }, {}], ['one that could be created since', {}, { status: 'False', reason: 'NothingWaits' }],
  ['one that replaces another', {}, { reason: 'Replacing' }], ['one that catches up', {}, { reason: 'CatchingUp' }],
])('%s is none', (_, spec, condition) => {
  expect(blockedSchedule(schedule(spec, condition))).toBeUndefined();
});
