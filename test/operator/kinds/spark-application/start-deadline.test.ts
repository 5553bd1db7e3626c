/* The end of a wait for a driver that needs user action, over restarts of the operator and older CRDs. */
import { viewOf } from '../../../../src/model/pod-view';
import { operator, server, statusIn } from './operator';

const IMAGE = { phase: 'Pending', startTime: '2026-03-01T10:00:00Z', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { waiting: { reason: 'ImagePullBackOff' } } }] };
const NODE = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] };

/** An application whose driver waits. */
async function waiting(drops: readonly string[] = []) {
  const calls = server();
  const { updateStatus } = calls;
  calls.updateStatus = (resource, { status, ...object }) => (
    updateStatus.call(calls, resource, { ...object, status: Object.fromEntries(Object.entries(status!).filter(([field]) => !drops.includes(field))) } as never)
  );
  let current = operator(calls);
  await current.reconcile();
  const driver = calls.objects.get('pods jobs/pi-driver');
  const pass = (status: object) => {
    current.see();
    current.pods.upsert(viewOf(calls.put('pods jobs/pi-driver', { ...driver, status })));
    return current.reconcile();
  };
  /** Passes until a time after the start, in seconds; returns the number of writes of the status. */
  const until = async (status: object, seconds: number) => {
    const before = calls.made.length;
    for (const end = Date.parse('2026-03-01T10:00:00Z') + seconds * 1_000; current.clock.now() < end;) {
      await pass(status);
      await current.clock.advance(Math.min(10_000, end - current.clock.now()));
    }
    await pass(status);
    return calls.made.slice(before).filter((call) => call === 'update sparkapplications').length;
  };
  return { state: () => statusIn(calls).applicationState.state, status: () => statusIn(calls), until, restart: () => { current = operator(calls, { clock: current.clock }); } };
}

test('another operator continues the wait', async () => {
  const world = await waiting();
  await world.until(IMAGE, 200);
  expect(world.status().startDeadlineTime).toBe('2026-03-01T10:05:00Z');
  world.restart();
  expect(await world.until(IMAGE, 299)).toBe(0);
  expect(world.state()).toBe('SUBMITTED');
  await world.until(IMAGE, 300);
  expect([world.state(), world.status().startDeadlineTime]).toEqual(['FAILING', undefined]);
});

test('a wait for a node does not count', async () => {
  const world = await waiting();
  await world.until(NODE, 3_600);
  expect(world.status()).not.toHaveProperty('startDeadlineTime');
  await world.until({ ...IMAGE, startTime: '2026-03-01T11:00:00Z' }, 3_610);
  expect([world.state(), world.status().startDeadlineTime]).toEqual(['SUBMITTED', '2026-03-01T11:05:00Z']);
});

test('under an older CRD, which drops the deadline, the wait ends as well, and the status is not written for it', async () => {
  const world = await waiting(['startDeadlineTime']);
  await world.until(NODE, 3_600);
  const onNode = { ...IMAGE, startTime: '2026-03-01T11:00:00Z' };
  expect(await world.until(onNode, 3_890)).toBeLessThanOrEqual(2);
  expect(world.state()).toBe('SUBMITTED');
  await world.until(onNode, 3_900);
  expect(world.state()).toBe('FAILING');
});
