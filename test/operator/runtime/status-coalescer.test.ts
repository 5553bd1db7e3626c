import { ApplicationState, ExecutorState } from '../../../src/api/states';
import type { SparkApplicationStatus } from '../../../src/api/spark-application-status';
import { StatusCoalescer } from '../../../src/operator/runtime/status-coalescer';
import { EXECUTOR_CHANGES } from '../../../src/operator/kinds/spark-application/executors';

const running = (executors: number, more: Partial<SparkApplicationStatus> = {}): SparkApplicationStatus => ({
  driverInfo: { podName: 'pi-driver' },
  applicationState: { state: ApplicationState.RUNNING },
  executorState: Object.fromEntries(Array.from({ length: executors }, (_, index) => [`pi-exec-${index}`, ExecutorState.RUNNING])),
  ...more,
});

test('changes of executors are written five seconds after the first of them', () => {
  const coalescer = new StatusCoalescer(EXECUTOR_CHANGES);
  expect([0, 400, 4_999, 5_000].map((now) => coalescer.hold('jobs/pi', running(1), running(2), now))).toEqual([5_000, 4_600, 1, 0]);
  // The next ones wait anew.
  expect(coalescer.hold('jobs/pi', running(2), running(3), 5_100)).toBe(5_000);
});

test('a failure is written sooner, with the delayed changes; once written, it makes nothing faster', () => {
  const coalescer = new StatusCoalescer(EXECUTOR_CHANGES);
  const failed = { ...running(2), executorState: { ...running(2).executorState, 'pi-exec-0': ExecutorState.FAILED } };
  expect(coalescer.hold('jobs/pi', running(1), running(2), 0)).toBe(5_000);
  expect([400, 1_000].map((now) => coalescer.hold('jobs/pi', running(1), failed, now))).toEqual([600, 0]);
  expect(
    coalescer.hold('jobs/pi', failed, { ...failed, executorState: { ...failed.executorState, 'pi-exec-2': ExecutorState.RUNNING } }, 1_100),
  ).toBe(5_000);
});

test.each<[string, SparkApplicationStatus | undefined, SparkApplicationStatus]>([
  ['a change of state', running(1), running(2, { applicationState: { state: ApplicationState.COMPLETED } })],
  ['a reason', running(1), running(1, { applicationState: { state: ApplicationState.RUNNING, errorMessage: 'why' } })],
  ['a first status', undefined, running(0)],
])('%s is written at once, with the delayed changes', (_, before, after) => {
  const coalescer = new StatusCoalescer(EXECUTOR_CHANGES);
  coalescer.hold('jobs/pi', running(1), running(2), 0);
  expect(coalescer.hold('jobs/pi', before, after, 10)).toBe(0);
  expect(coalescer.hold('jobs/pi', running(2), running(3), 20)).toBe(5_000);
});
