/* Events of executors between two writes of the status, in the reconciler. */
import { viewOf } from '../../../../src/model/pod-view';
import { operator, server, statusIn } from './operator';

/** An application whose driver runs, with executors. */
async function running() {
  const calls = server({ executor: { instances: 3 } });
  const { reconcile, see, pods, clock, events } = operator(calls);
  await reconcile();
  const driver = calls.objects.get('pods jobs/pi-driver');
  const set = (status: object) => pods.upsert(viewOf(calls.put('pods jobs/pi-driver', { ...driver, status })));
  set({ phase: 'Running', startTime: '2026-03-01T10:00:01Z' });
  const executor = (id: number, phase: string, terminated?: object, deletionTimestamp?: string) => pods.upsert(viewOf(calls.put(`pods jobs/pi-exec-${id}`, {
    metadata: {
      name: `pi-exec-${id}`, namespace: 'jobs', uid: `exec-${id}`, deletionTimestamp,
      labels: { ...driver.metadata.labels, 'spark-role': 'executor', 'spark-exec-id': String(id) },
    },
    status: { phase, containerStatuses: [{ name: 'spark-kubernetes-executor', state: terminated ? { terminated } : { running: { startedAt: '2026-03-01T10:00:05Z' } } }] },
  })));
  const pass = async (milliseconds = 0) => {
    await clock.advance(milliseconds);
    see();
    return reconcile();
  };
  await pass();
  return {
    calls, pods, executor, pass, set, events,
    get writes() { return calls.made.filter((call) => call === 'update sparkapplications').length; },
    get record() { return statusIn(calls).attemptHistory[0]; },
  };
}

test('a failed executor whose Pod is deleted before the write is recorded with its reason', async () => {
  const world = await running();
  world.executor(1, 'Running');
  await world.pass();
  await world.pass(5_000);
  const { writes } = world;
  world.executor(1, 'Failed', { exitCode: 137, reason: 'OOMKilled' });
  await world.pass();
  // Spark deletes its Pod, while the write waits for other changes.
  world.pods.apply('DELETED', world.pods.get({ namespace: 'jobs', name: 'pi-exec-1' })!);
  await world.pass(500);
  await world.pass(500);
  expect(world.writes).toBe(writes + 1);
  expect(statusIn(world.calls).executorState).toEqual({ 'pi-exec-1': 'FAILED' });
  expect(world.record.executors).toEqual({
    requested: 3, peak: 1, firstStartTime: '2026-03-01T10:00:05Z', failed: 1, failures: [{ reason: 'OOMKilled', exitCode: 137, count: 1 }],
  });
  expect(world.events.filter((reason) => reason === 'SparkExecutorFailed')).toHaveLength(1);
  await world.pass(300_000);
  expect({ writes: world.writes, failed: world.record.executors.failed }).toEqual({ writes: writes + 1, failed: 1 });
});

test('the peak between two writes is recorded with the next one', async () => {
  const world = await running();
  for (const id of [1, 2, 3]) world.executor(id, 'Running');
  await world.pass();
  const { writes } = world;
  for (const id of [2, 3]) world.executor(id, 'Succeeded', { exitCode: 0 });
  await world.pass(1_000);
  expect(world.writes).toBe(writes);
  await world.pass(4_000);
  expect({ writes: world.writes - writes, peak: world.record.executors.peak }).toEqual({ writes: 1, peak: 3 });
});

test('an executor that Spark stops has not failed, although its end is visible before its deletion', async () => {
  const world = await running();
  world.executor(1, 'Running');
  await world.pass(5_000);
  world.executor(1, 'Failed', { exitCode: 143, reason: 'Error' });
  await world.pass();
  await world.pass(1_000);
  world.executor(1, 'Failed', { exitCode: 143, reason: 'Error' }, '2026-03-01T10:00:06Z');
  await world.pass();
  await world.pass(5_000);
  expect(world.record.executors).not.toHaveProperty('failed');
});

test('a whole run takes three writes of the status, as without a history', async () => {
  const world = await running();
  world.set({ phase: 'Succeeded', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { terminated: { exitCode: 0, finishedAt: '2026-03-01T10:01:00Z' } } }] });
  await world.pass(60_000);
  await world.pass(300_000);
  expect({ writes: world.writes, result: world.record.result, exitCode: world.record.exitCode }).toEqual({ writes: 3, result: 'Completed', exitCode: 0 });
});
