import { ExecutorState } from '../../../../src/api/states';
import { viewOf } from '../../../../src/model/pod-view';
import { executorEvents } from '../../../../src/operator/kinds/spark-application/executor-events';

const { PENDING, RUNNING, COMPLETED, FAILED, UNKNOWN } = ExecutorState;
const reported = (...args: Parameters<typeof executorEvents>) => (
  executorEvents(...args).map(({ type, reason, note }) => `${type} ${reason}: ${note}`)
);
const executor = (name: string, exitCode: number, reason: string) => viewOf({
  metadata: { name },
  status: { phase: 'Failed', containerStatuses: [{ name: 'spark-kubernetes-executor', state: { terminated: { exitCode, reason } } }] },
} as any);

test('one sentence for each state that executors have entered, with their names', () => {
  expect(
    reported({ a: PENDING, b: PENDING, c: RUNNING, d: RUNNING }, { a: RUNNING, b: RUNNING, c: COMPLETED, d: UNKNOWN, e: PENDING }, []),
  ).toEqual([
    'Normal SparkExecutorPending: Executor e is pending',
    'Normal SparkExecutorRunning: 2 executors are running: a, b',
    'Normal SparkExecutorCompleted: Executor c completed',
    'Normal SparkExecutorUnknown: Executor d is gone or unknown',
  ]);
});

test('an event names a few of many executors that start together', () => {
  const after = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`e-${String(index).padStart(3, '0')}`, RUNNING]));
  expect(reported({}, after, [])).toEqual([
    'Normal SparkExecutorRunning: 300 executors are running: e-000, e-001, e-002, e-003, e-004 and 295 more',
  ]);
});

test('an event reports a failed executor with its cause, but not executors that ended with their driver', () => {
  expect(reported({ a: RUNNING, b: RUNNING }, { a: FAILED, b: FAILED }, [executor('a', 137, 'OOMKilled')])).toEqual([
    'Warning SparkExecutorFailed: Executor a (ExitCode: 137, Reason: OOMKilled) failed',
  ]);
});

test('executors without a change get no event', () => {
  expect(reported({ a: RUNNING, b: PENDING }, { a: RUNNING, b: PENDING }, [])).toEqual([]);
});
