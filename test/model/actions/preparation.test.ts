import { withPreparation } from '../../../src/model/actions/preparation';
import type { PodView } from '../../../src/model/pod-view';

const NOW = Date.parse('2026-03-01T10:01:00Z');
const MISSING = 'MountVolume.SetUp failed for volume "key" : secret "key" not found';

/** An executor that a node has prepared for some seconds. */
const executor = (name: string, seconds: number, more: Partial<PodView> = {}): PodView => ({
  metadata: { name }, phase: 'Pending', startTime: new Date(NOW - 1_000 * seconds).toISOString(), ...more,
});
const failedMount = { type: 'Warning', reason: 'FailedMount', message: MISSING, metadata: {} };
const noNetwork = { ...failedMount, reason: 'FailedCreatePodSandBox', message: 'failed to create the sandbox' };

/** Returns the names of executors with an obstacle from the events, and of those whose events were read. */
async function found(executors: readonly PodView[], event = failedMount): Promise<readonly [stuck: readonly string[], read: readonly string[]]> {
  const read: string[] = [];
  const pods = await withPreparation(executors, NOW, async ({ metadata: { name } }) => {
    read.push(name);
    return [event];
  });
  return [pods.filter(({ obstacle }) => obstacle?.isFromEvents).map(({ metadata: { name } }) => name), read];
}

test('the executor that has been prepared for longest has the reason of its events', async () => {
  expect(await found([executor('new', 6), executor('old', 60), executor('newest', 1)], noNetwork)).toEqual([['old'], ['old']]);
});

test('executors do not share a failed pull of one node', async () => {
  const failedPull = { ...failedMount, reason: 'Failed', message: 'Error: ErrImagePull' };
  expect(await found([executor('new', 6), executor('old', 60)], failedPull)).toEqual([['old'], ['old']]);
});

test('executors share a missing Secret', async () => {
  const executors = [executor('runs', 60, { phase: 'Running' }), executor('new', 1), executor('old', 60)];
  expect(await found(executors)).toEqual([['new', 'old'], ['old']]);
});

test.each<[string, readonly PodView[]]>([
  ['none is prepared', [executor('runs', 60, { phase: 'Running' })]],
  ['a node has only begun', [executor('new', 4)]],
  ['it is being deleted', [executor('leaving', 60, { metadata: { name: 'leaving', deletionTimestamp: '2026-03-01T10:00:59Z' } })]],
  ['another has a reason', [executor('a', 60), executor('b', 60, { obstacle: { reason: 'Unschedulable', passes: true } })]],
])('no events are read while %s', async (_, executors) => {
  expect(await found(executors)).toEqual([[], []]);
});

test('the reason is unknown if the events cannot be read', async () => {
  const executors = [executor('old', 60)];
  expect(await withPreparation(executors, NOW, async () => Promise.reject(new Error('too many requests')))).toBe(executors);
});
