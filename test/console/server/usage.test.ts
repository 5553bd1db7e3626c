/* CPU and memory of pods, from the metrics API. */
import { USAGE_AGE, UsageReader } from '../../../src/console/server/usage';
import type { Right, Viewer } from '../../../src/console/server/viewer';
import { ManualClock } from '../../kube/helpers/manual-clock';
import { application, FakeCluster } from '../helpers/fake-cluster';

let cluster: FakeCluster;
let clock: ManualClock;
let reader: UsageReader;

beforeEach(async () => {
  cluster = await FakeCluster.start();
  cluster.put('sparkapplications', application('pi'));
  clock = new ManualClock();
  reader = new UsageReader(cluster.client, clock);
});

afterEach(() => cluster.stop());

const viewer = (may: (right: Right) => boolean): Viewer => (
  { session: { readOnly: true }, may: async (right) => may(right), require: async () => undefined, isStillValid: async () => true }
);
const read = (may: (right: Right) => boolean = () => true) => (
  reader.read(viewer(may), { namespace: 'default', name: 'pi' }, AbortSignal.timeout(60_000))
);
const lists = () => cluster.calls.filter(({ path }) => path.startsWith('/apis/metrics.k8s.io/')).length;

test('containers of a pod are added, and all viewers share one list within 15 s', async () => {
  cluster.usage = [{ metadata: { name: 'pi-driver' }, containers: [{ usage: { cpu: '250m', memory: '1Gi' } }, { usage: { cpu: '1500000n', memory: '64Ki' } }] }];
  const pods = [{ name: 'pi-driver', cpu: 0.2515, memory: 2 ** 30 + 2 ** 16 }];
  expect([await read(), await read()]).toEqual([{ pods }, { pods }]);
  expect(lists()).toBe(1);
  await clock.advanceAsync(USAGE_AGE);
  await read();
  expect(lists()).toBe(2);
});

test('without the metrics API, and without the permission to read it, there is no usage', async () => {
  expect(await read()).toEqual({});
  cluster.usage = [];
  await clock.advanceAsync(USAGE_AGE);
  const asked: Right[] = [];
  expect(await read((right) => asked.push(right) < 0)).toEqual({});
  expect(asked).toEqual([{ verb: 'list', group: 'metrics.k8s.io', resource: 'pods', namespace: 'default' }]);
  expect(lists()).toBe(1);
  expect(await read()).toEqual({ pods: [] });
});
