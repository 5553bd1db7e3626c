/* Rows of the console: thousands of them are kept in memory. */
import { needsAttention, reasonOf } from '../../../src/console/page/attention';
import { applicationRow, scheduleRow } from '../../../src/console/server/rows';

const LONG = 'x'.repeat(100_000);

test('user-written texts are truncated in every field', () => {
  const metadata = { name: 'pi', namespace: 'jobs', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-03-01T10:00:00Z' };
  const application = applicationRow({
    metadata, spec: { type: LONG, sparkVersion: LONG, driver: {}, executor: {} },
    status: { applicationState: { state: 'FAILED', errorMessage: LONG } },
  } as any, Date.parse('2026-03-01T10:10:00Z'));
  const schedule = scheduleRow({
    metadata, spec: { schedule: LONG, timeZone: LONG }, status: { lastRunName: LONG, scheduleState: LONG, reason: LONG },
  } as any);
  for (const row of [application, schedule]) expect(JSON.stringify(row).length).toBeLessThan(3_000);
  expect(application).toMatchObject({ name: 'pi', state: 'FAILED', sparkVersion: expect.stringMatching(/^x{299}…$/) });
  // A schedule has no page that reads more.
  expect(schedule.reason).toMatch(/^.{1023}…$/);
});

test('an application that does not progress has the reason in a few words', () => {
  const row = (state: string, errorMessage?: string) => applicationRow({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u' }, spec: { driver: {}, executor: {} }, status: { applicationState: { state, errorMessage } },
  } as any, 0);
  expect(row('SUBMITTED', 'driver does not start: ImagePullBackOff: Back-off pulling image "x"')).toMatchObject({ shortReason: 'ImagePullBackOff', attention: true });
  expect(row('COMPLETED')).not.toHaveProperty('attention');
});

test('a deletion that takes long needs attention without a change', () => {
  const deletionTimestamp = '2026-03-01T10:00:00Z';
  const { shortReason, attention, slow } = applicationRow({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u', deletionTimestamp }, spec: { driver: {}, executor: {} }, status: { applicationState: { state: 'RUNNING' } },
  } as any, Date.parse(deletionTimestamp));
  expect([shortReason, attention, slow]).toEqual(['being deleted', undefined, { at: Date.parse(deletionTimestamp) + 120_000, reason: 'being deleted' }]);
});

test('a change of an application that has ended or is suspended needs an operator', () => {
  const row = (state: string, generation: number, suspend = false) => applicationRow({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u', generation }, spec: { driver: {}, executor: {}, suspend },
    status: { applicationState: { state }, observedGeneration: 1 },
  } as any, 0).changed;
  expect([row('FAILED', 1), row('FAILED', 2), row('SUSPENDED', 1, true), row('SUSPENDED', 2), row('RUNNING', 2)])
    .toEqual([undefined, true, undefined, true, undefined]);
});

test('an application that is too slow needs attention without a change', () => {
  const START = Date.parse('2026-03-01T10:00:00Z');
  const row = (status: object) => applicationRow({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u' }, spec: { driver: {}, executor: { instances: 2 } },
    status: { lastSubmissionAttemptTime: '2026-03-01T10:00:00Z', observedGeneration: 1, ...status },
  } as any, START);
  const running = { applicationState: { state: 'RUNNING' }, conditions: [{ type: 'Running', status: 'True', lastTransitionTime: '2026-03-01T10:00:00Z' }] };
  const rows = [
    row({ ...running, executorState: { a: 'PENDING', b: 'PENDING' } }), row(running), row({ ...running, executorState: { a: 'RUNNING', b: 'PENDING' } }),
    row({ applicationState: { state: 'SUBMITTED', errorMessage: 'driver does not start: ContainerCreating' } }),
  ];
  const at = (minutes: number) => rows.map((each) => {
    const circumstances = { hasOperator: true, now: START + minutes * 60_000 + 1 };
    return [reasonOf(each, circumstances), needsAttention(each, circumstances)];
  });
  expect(at(1)).toEqual([['2 executors pending', false], [undefined, false], ['1 executor pending', false], ['ContainerCreating', false]]);
  expect(at(5)).toEqual([['2 executors pending', true], ['no executors', true], ['1 executor pending', false], ['ContainerCreating', true]]);
});

test('executors that are gone are not counted as failed', () => {
  const row = (executorState: object) => applicationRow({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u' }, spec: { driver: {}, executor: {} }, status: { applicationState: { state: 'RUNNING' }, executorState },
  } as any, 0).executors;
  expect(row({ a: 'RUNNING', b: 'UNKNOWN', c: 'UNKNOWN', d: 'FAILED' })).toEqual({ pending: 0, running: 1, completed: 0, failed: 1, unknown: 2 });
  expect(row({ a: 'RUNNING' })).toEqual({ pending: 0, running: 1, completed: 0, failed: 0 });
});

test('the requested executors are also those of a property', () => {
  const row = (sparkConf: object) => applicationRow({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u' }, spec: { driver: {}, executor: {}, sparkConf }, status: {},
  } as any, 0);
  expect(row({ 'spark.executor.instances': '3' })).toMatchObject({ requested: 3 });
  expect(row({ 'spark.dynamicAllocation.enabled': 'true' })).not.toHaveProperty('requested');
});

test('a suspended application has the attempts of its last run, which only their records know', () => {
  const attemptHistory = [{ number: 1, trigger: 'Creation' }, { number: 2, trigger: 'SpecChange', result: 'Stopped' }];
  expect(applicationRow({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u' }, spec: { driver: {}, executor: {}, suspend: true },
    status: { applicationState: { state: 'SUSPENDED' }, attemptHistory },
  } as any, 0).attempts).toBe(1);
});

test('the list shows why an operator has not created a driver, and not that no operator runs', () => {
  const NOW = Date.parse('2026-03-01T10:02:00Z');
  const row = (status?: object) => applicationRow({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u', creationTimestamp: '2026-03-01T10:00:00Z' }, spec: { driver: {}, executor: {} }, status,
  } as any, Date.parse('2026-03-01T10:00:00Z'));
  const errorMessage = 'driver cannot be created yet: pods "pi-driver" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=1, limited: pods=1';
  const shown = [row({ applicationState: { state: '', errorMessage } }), row({ observedGeneration: 1 }), row()];
  expect(shown.map((each) => [reasonOf(each, { hasOperator: true, now: NOW }), needsAttention(each, { hasOperator: true, now: NOW })])).toEqual([
    ['quota compute exceeded', true], [undefined, false], ['no operator', true],
  ]);
});

test('an active schedule that starts no runs has the reason', () => {
  const row = (spec: object, status: object) => {
    const { reason, shortReason, nextRun } = scheduleRow({
      metadata: { name: 'nightly', namespace: 'jobs', uid: 'u' }, spec: { schedule: '@daily', ...spec }, status: { nextRun: '2026-03-02T00:00:00Z', ...status },
    } as any);
    return [shortReason, reason, nextRun];
  };
  const next = Date.parse('2026-03-02T00:00:00Z');
  expect(row({}, { scheduleState: 'FailedValidation', reason: 'it runs too often' })).toEqual(['invalid', 'it runs too often', undefined]);
  expect(row({ schedule: '0 0 30 2 *' }, {})).toEqual(['invalid', expect.stringContaining('never has a run'), undefined]);
  const waiting = { type: 'Waiting', status: 'True', reason: 'CannotStart', message: 'exceeded quota: q' };
  expect(row({}, { conditions: [waiting] })).toEqual(['cannot start', expect.stringContaining('exceeded quota: q'), next]);
  // The reason of the time before it was resumed.
  expect(row({}, { scheduleState: 'Scheduled', reason: 'spec.suspend is true' })).toEqual([undefined, undefined, next]);
});
