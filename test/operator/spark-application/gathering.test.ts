import { ApplicationState, ExecutorState } from '../../../src/api/states';
import type { SparkApplicationStatus } from '../../../src/api/spark-application-status';
import { Gathering } from '../../../src/operator/spark-application/gathering';

const running = (executors: number, more: Partial<SparkApplicationStatus> = {}): SparkApplicationStatus => ({
  driverInfo: { podName: 'pi-driver' },
  applicationState: { state: ApplicationState.RUNNING },
  executorState: Object.fromEntries(Array.from({ length: executors }, (_, index) => [`pi-exec-${index}`, ExecutorState.RUNNING])),
  ...more,
});

test('changes of executors are written a second after the first of them, whatever comes meanwhile', () => {
  const gathering = new Gathering();
  expect([0, 400, 999, 1_000].map((now) => gathering.hold('jobs/pi', running(1), running(2), now))).toEqual([1_000, 600, 1, 0]);
  // The next ones are gathered anew.
  expect(gathering.hold('jobs/pi', running(2), running(3), 1_100)).toBe(1_000);
});

test('that executors are pending is told later: most of them run soon, and then it is one write', () => {
  const gathering = new Gathering();
  const pending = { ...running(1), executorState: { ...running(1).executorState, 'pi-exec-1': ExecutorState.PENDING } };
  expect([0, 1_000, 4_999].map((now) => gathering.hold('jobs/pi', running(1), pending, now))).toEqual([5_000, 4_000, 1]);
  expect(gathering.hold('jobs/pi', running(1), running(2), 4_999)).toBe(0);
});

test.each<[string, SparkApplicationStatus | undefined, SparkApplicationStatus]>([
  ['a change of state', running(1), running(2, { applicationState: { state: ApplicationState.COMPLETED } })],
  ['a reason', running(1), running(1, { applicationState: { state: ApplicationState.RUNNING, errorMessage: 'why' } })],
  ['a first status', undefined, running(0)],
])('%s is written at once, with what was gathered', (_, before, after) => {
  const gathering = new Gathering();
  gathering.hold('jobs/pi', running(1), running(2), 0);
  expect(gathering.hold('jobs/pi', before, after, 10)).toBe(0);
  expect(gathering.hold('jobs/pi', running(2), running(3), 20)).toBe(1_000);
});
