/* Nodes, which open pages with a pod that fits on none need again and again. */
import { NodeReader } from '../../../src/console/server/node-reader';
import type { Viewer } from '../../../src/console/server/viewer';
import { ManualClock } from '../../kube/helpers/manual-clock';
import { FakeCluster } from '../../sparkctl/cluster';

const clock = new ManualClock();
const node: any = { metadata: { name: 'n' }, status: { allocatable: { cpu: '2' }, images: ['large'] } };

const readOf = (cluster: FakeCluster) => {
  const reader = new NodeReader(cluster.client, clock);
  return (may = true) => reader.read({ may: async () => may } as unknown as Viewer, AbortSignal.timeout(60_000));
};

test('are listed at most once a minute for all viewers that can list them', async () => {
  const cluster = new FakeCluster().put('nodes', node);
  const read = readOf(cluster);
  const fields = { metadata: { name: 'n' }, spec: {}, status: { allocatable: { cpu: '2' } } };
  expect([await read(), await read(), await read(false)]).toEqual([[fields], [fields], undefined]);
  expect(cluster.reads).toEqual(['list nodes']);
  await clock.advanceAsync(60_000);
  await read();
  expect(cluster.reads).toEqual(['list nodes', 'list nodes']);
});

test('are unknown where the console cannot list them', async () => {
  const cluster = new FakeCluster().put('nodes', node);
  cluster.forbidden.add('list nodes');
  expect(await readOf(cluster)()).toBeUndefined();
});
