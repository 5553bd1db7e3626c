import { ApplicationState, ExecutorState } from '../../../../src/api/states';
import { viewOf, type PodView } from '../../../../src/model/pod-view';
import { executorStates, MAX_EXECUTOR_BYTES } from '../../../../src/operator/kinds/spark-application/executors';

const LIMIT = 1000;

/** Returns an executor whose container ended while its pod was being deleted. */
function deleted(exitCode: number, reason = 'Error', finishedAt?: string): PodView {
  return ended(exitCode, reason, { deletionTimestamp: '2026-03-01T10:00:00Z' }, finishedAt);
}

function ended(exitCode: number, reason = 'Error', metadata: object = {}, finishedAt?: string): PodView {
  return viewOf({
    metadata: { name: 'pi-exec-1', namespace: 'jobs', labels: { 'spark-role': 'executor', 'spark-exec-id': '1' }, ...metadata },
    status: { phase: 'Failed', containerStatuses: [{ name: 'spark-kubernetes-executor', state: { terminated: { exitCode, reason, finishedAt } } }] },
  } as Parameters<typeof viewOf>[0]);
}

test.each([
  ['by SIGTERM', deleted(143)],
  ['by SIGKILL, because it took too long to end', deleted(137, 'Error', '2026-03-01T10:00:01Z')],
  ['by SIGKILL at an unknown time', deleted(137)],
])('known failure 12: an executor that Spark stops %s while the application runs has not failed', (_, executor) => {
  const running = executorStates({ 'pi-exec-1': ExecutorState.RUNNING }, [executor], ApplicationState.RUNNING, LIMIT);
  expect(running).toEqual({ 'pi-exec-1': 'UNKNOWN' });
  expect(executorStates(running, [], ApplicationState.COMPLETED, LIMIT)).toEqual({ 'pi-exec-1': 'COMPLETED' });
});

test('known failure 12: an executor that was recorded as failed before its deletion was seen has not failed either', () => {
  expect(
    executorStates({ 'pi-exec-1': ExecutorState.FAILED }, [deleted(143)], ApplicationState.SUCCEEDING, LIMIT),
  ).toEqual({ 'pi-exec-1': 'COMPLETED' });
});

test.each([
  ['with an error', ended(1)],
  ['with an error, and is then deleted by Spark', deleted(1)],
  ['because of its memory, and is then deleted by Spark', deleted(137, 'OOMKilled')],
  ['by SIGKILL, and is then deleted by Spark with a grace period', deleted(137, 'Error', '2026-03-01T09:59:29Z')],
])('an executor that ends %s has failed, also when the application succeeds', (_, executor) => {
  const running = executorStates({ 'pi-exec-1': ExecutorState.RUNNING }, [executor], ApplicationState.RUNNING, LIMIT);
  expect(running).toEqual({ 'pi-exec-1': 'FAILED' });
  expect(executorStates(running, [executor], ApplicationState.COMPLETED, LIMIT)).toEqual({ 'pi-exec-1': 'FAILED' });
});

test('an evicted executor has failed', () => {
  const evicted = { ...deleted(143), reason: 'Evicted: The node was low on resource: memory.' };
  expect(
    executorStates({ 'pi-exec-1': ExecutorState.RUNNING }, [evicted], ApplicationState.RUNNING, LIMIT),
  ).toEqual({ 'pi-exec-1': 'FAILED' });
});

test.each([
  ['failed', 'an application that succeeded', ended(1), ApplicationState.COMPLETED, 'FAILED'],
  ['completed', 'an application that failed', { ...ended(0), phase: 'Succeeded' }, ApplicationState.FAILED, 'COMPLETED'],
])('an executor that %s keeps that state, also when it is seen together with the end of %s', (_, __, executor, state, expected) => {
  expect(executorStates({ 'pi-exec-1': ExecutorState.RUNNING }, [executor], state, LIMIT)).toEqual({ 'pi-exec-1': expected });
});

describe('the record has no more entries than its limit', () => {
  const executor = (name: string, id: number, phase = 'Running') => viewOf({
    metadata: { name, namespace: 'jobs', labels: { 'spark-role': 'executor', 'spark-exec-id': String(id) } }, status: { phase },
  } as Parameters<typeof viewOf>[0]);

  test('known failure 11: even if a driver gives 6,000 pods the same executor id and names of maximum length', () => {
    const pods = Array.from({ length: 6_000 }, (_, index) => executor(`${'long-'.repeat(49)}${index}`, 1));
    const first = executorStates({}, pods, ApplicationState.RUNNING, LIMIT);
    const recorded = Object.keys(first).length;
    expect(recorded).toBeGreaterThan(150);
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(MAX_EXECUTOR_BYTES);
    // The same executors stay recorded, however the pods are listed.
    expect(executorStates(first, pods.toReversed(), ApplicationState.RUNNING, LIMIT)).toEqual(first);
    expect(Object.keys(executorStates(first, [], ApplicationState.COMPLETED, LIMIT))).toHaveLength(recorded);
  });

  test('1,000 executors with names of 30 characters have entries, as Kueue needs them', () => {
    const pods = Array.from({ length: 1_000 }, (_, index) => executor(`etl-${index}-exec-1`.padStart(30, 'x'), index + 1));
    expect(Object.keys(executorStates({}, pods, ApplicationState.RUNNING, 1_000))).toHaveLength(1_000);
  });

  test('executors with the lowest ids come first, and a pod without an id is no executor', () => {
    const pods = [executor('c', 12), executor('d', 12), executor('b', 7), executor('a', 2000), executor('e', NaN)];
    expect(executorStates({}, pods, ApplicationState.RUNNING, 3)).toEqual({ b: 'RUNNING', c: 'RUNNING', d: 'RUNNING' });
  });

  test('running executors replace those that are gone', () => {
    const before = { 'pi-exec-1': ExecutorState.COMPLETED, 'pi-exec-2': ExecutorState.UNKNOWN, 'pi-exec-4': ExecutorState.RUNNING };
    const pods = [executor('pi-exec-4', 4), executor('pi-exec-3', 3, 'Pending')];
    expect(executorStates(before, pods, ApplicationState.RUNNING, 3)).toEqual({
      'pi-exec-4': 'RUNNING', 'pi-exec-3': 'PENDING', 'pi-exec-1': 'COMPLETED',
    });
  });

  test('a longer record of an earlier version is cut', () => {
    const before = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`pi-exec-${index}`, ExecutorState.COMPLETED]));
    expect(Object.keys(executorStates(before, [], ApplicationState.COMPLETED, LIMIT))).toHaveLength(LIMIT);
  });
});
