import { ApplicationState as State, ExecutorState } from '../../../src/api/states';
import { ExecutorEnds } from '../../../src/operator/metrics/executor-ends';
import { Series } from '../../../src/operator/metrics/series';
import { DEFAULT_SETTINGS } from '../../../src/operator/metrics/settings';
import { application } from './helpers';

const { PENDING, RUNNING, COMPLETED, FAILED, UNKNOWN } = ExecutorState;
type Record = { [name: string]: ExecutorState } | undefined;

/** Returns the number of successes and failures of executors after these writes of the record. */
function counted(...writes: [before: Record, after: Record, passed?: State[]][]) {
  const series = new Series({}, DEFAULT_SETTINGS);
  const ends = new ExecutorEnds();
  for (const [before, after, passed = []] of writes) {
    ends.count(series, {
      before: application(State.RUNNING, { executorState: before }), after: application(State.RUNNING, { executorState: after }),
      passed,
    });
  }
  return [series.executorsSucceeded, series.executorsFailed];
}

test('an end counts when it is recorded', () => {
  expect(counted(
    [undefined, { a: PENDING, b: RUNNING }],
    [{ a: PENDING, b: RUNNING }, { a: RUNNING, b: FAILED }],
    [{ a: RUNNING, b: FAILED }, { a: COMPLETED, b: FAILED, c: COMPLETED }],
  )).toEqual([2, 1]);
});

test('known failure 24: executors whose pods are deleted count at the end of their application', () => {
  expect(counted(
    [{ a: RUNNING, b: RUNNING }, { a: UNKNOWN, b: RUNNING }],
    [{ a: UNKNOWN, b: RUNNING }, { a: COMPLETED, b: COMPLETED }, [State.SUCCEEDING, State.COMPLETED]],
  )).toEqual([2, 0]);
});

test('ends before a restart of the operator are in the record, and do not count again', () => {
  expect(counted([{ a: COMPLETED, b: FAILED, c: RUNNING }, { a: COMPLETED, b: FAILED, c: COMPLETED }])).toEqual([1, 0]);
});

test('a revoked end, because the executor was stopped, counts once', () => {
  expect(counted(
    [{ a: RUNNING }, { a: FAILED }],
    [{ a: FAILED }, { a: UNKNOWN }],
    [{ a: UNKNOWN }, { a: UNKNOWN }],
    [{ a: UNKNOWN }, { a: COMPLETED }],
  )).toEqual([0, 1]);
});

test.each<[string, State[], number[]]>([
  ['succeeded', [State.SUCCEEDING, State.PENDING_RERUN], [1, 0]],
  ['failed', [State.FAILING, State.PENDING_RERUN], [0, 1]],
  ['was suspended: neither', [State.SUSPENDING], [0, 0]],
])('an attempt that ends before the end of its executors is recorded: it %s', (_, passed, expected) => {
  expect(counted([{ a: RUNNING }, undefined, passed])).toEqual(expected);
  expect(counted([{ a: RUNNING }, { a: FAILED }], [{ a: FAILED }, { a: UNKNOWN }], [{ a: UNKNOWN }, undefined, passed])).toEqual([0, 1]);
});
