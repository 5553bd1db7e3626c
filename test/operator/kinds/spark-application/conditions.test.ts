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
      reason: 'DriverCreated',
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

test.each(Object.values(ApplicationState))('the reason of Submitted is true in all later states: %j', (state) => {
  const [submitted] = conditions(state, conditions(ApplicationState.SUBMITTED));
  expect(['DriverCreated', 'False']).toContain(submitted!.status === 'False' ? 'False' : submitted!.reason);
});

test('the message of a failure has the cause, and ends after a word', () => {
  const messageOf = (errorMessage: string) => conditions(ApplicationState.FAILED, [], { errorMessage })[0]!.message;
  expect(messageOf('driver container failed with ExitCode: 1, Reason: Error; ValueError: no rows (job.py:3)')).toBe('ValueError: no rows (job.py:3)');
  expect(messageOf('no memory '.repeat(30))).toMatch(/^(no memory ){20}…$/);
  expect(messageOf(`no memory ${'🙂'.repeat(300)}`)).toBe(`no memory ${'🙂'.repeat(95)} …`);
});
