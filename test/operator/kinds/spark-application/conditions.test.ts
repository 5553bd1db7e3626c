import { ApplicationState } from '../../../../src/api/states';
import type { Condition } from '../../../../src/api/spark-application-status';
import { conditionsOf } from '../../../../src/operator/kinds/spark-application/conditions';

const NOW = Date.parse('2026-03-01T10:00:00Z');

function conditions(
  state: ApplicationState, before: Condition[] = [],
  { errorMessage, generation, now = NOW }: { errorMessage?: string; generation?: number; now?: number } = {},
) {
  return conditionsOf(
    { driverInfo: {}, applicationState: { state, ...(errorMessage && { errorMessage }) }, conditions: before }, generation, now,
  );
}

test.each<[ApplicationState, string[]]>([
  [ApplicationState.NEW, []],
  [ApplicationState.SUBMITTED, ['Submitted']],
  [ApplicationState.RUNNING, ['Submitted', 'Running']],
  [ApplicationState.COMPLETED, ['Submitted', 'Completed']],
  [ApplicationState.FAILED, ['Failed']],
  [ApplicationState.SUSPENDED, ['Suspended']],
  [ApplicationState.PENDING_RERUN, []],
])('true in state "%s": %j; a condition that was never true is left out', (state, expected) => {
  expect(conditions(state).map(({ type, status }) => `${type} ${status}`)).toEqual(expected.map((type) => `${type} True`));
});

test('each condition keeps the time and the reason of its last change', () => {
  const running = conditions(ApplicationState.RUNNING);
  const completed = conditions(ApplicationState.COMPLETED, running, { now: NOW + 60_000, generation: 3 });

  expect(completed).toEqual([
    {
      type: 'Submitted',
      status: 'True',
      reason: 'DriverRunning',
      message: '',
      lastTransitionTime: '2026-03-01T10:00:00Z',
      observedGeneration: 3,
    },
    {
      type: 'Running', status: 'False', reason: 'Completed', message: '', lastTransitionTime: '2026-03-01T10:01:00Z', observedGeneration: 3,
    },
    {
      type: 'Completed',
      status: 'True',
      reason: 'Completed',
      message: '',
      lastTransitionTime: '2026-03-01T10:01:00Z',
      observedGeneration: 3,
    },
  ]);
  expect(conditions(ApplicationState.COMPLETED, completed, { now: NOW + 120_000, generation: 3 })).toEqual(completed);
});

test('the message of a failure is shortened', () => {
  const [failed] = conditions(ApplicationState.FAILED, [], { errorMessage: `no memory ${'🙂'.repeat(300)}` });
  expect(failed).toMatchObject({ reason: 'Failed', message: `no memory ${'🙂'.repeat(190)}…` });
});
