/* The console reports that no operator runs, by its Lease. */
import { leaseCheck } from '../../../src/console/server/operator-lease';
import { CHECK_PERIOD, OperatorWatch } from '../../../src/console/server/operator-watch';
import type { OperatorPresence } from '../../../src/model/operator-presence';
import { silentLogger } from '../../../src/kube/logger';
import { ManualClock } from '../../kube/helpers/manual-clock';
import { FakeCluster } from '../helpers/fake-cluster';

const LEASE = { namespace: 'spark-operator', name: 'lock' };
const NOW = Date.parse('2026-03-01T10:00:00Z');

let cluster: FakeCluster;

beforeEach(async () => { cluster = await FakeCluster.start(); });
afterEach(() => cluster.stop());

const check = () => leaseCheck(cluster.client, LEASE, { now: () => NOW })(AbortSignal.timeout(60_000));

test.each<[string, object | undefined, OperatorPresence]>([
  ['is missing', undefined, { isActive: false, evidence: 'there is no Lease spark-operator/lock' }],
  ['has no holder', { holderIdentity: '' }, { isActive: false, evidence: 'no replica holds the Lease spark-operator/lock' }],
  ['was released', { holderIdentity: '', leaseDurationSeconds: 1, renewTime: '2026-03-01T09:35:00.000000Z' }, {
    isActive: false, evidence: 'no replica has held the Lease spark-operator/lock for 25m',
  }],
  ['was not renewed', { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-03-01T09:07:00.000000Z' }, {
    isActive: false, evidence: 'the Lease spark-operator/lock was last renewed 53m ago',
  }],
  ['was renewed within a minute, as clocks differ', { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-03-01T09:59:30.000000Z' }, {
    isActive: true, evidence: 'the Lease spark-operator/lock was last renewed 30s ago',
  }],
])('the Lease %s', async (_, spec, presence) => {
  if (spec) cluster.put('leases', { metadata: LEASE, spec });
  expect(await check()).toEqual(presence);
});

test('the check is repeated; while it fails, nothing is reported', async () => {
  const clock = new ManualClock();
  const answers: (() => OperatorPresence)[] = [
    () => ({ isActive: true, evidence: 'renewed 1s ago' }), () => ({ isActive: true, evidence: 'renewed 2s ago' }),
    () => ({ isActive: false, evidence: 'renewed 1m ago' }), () => ({ isActive: false, evidence: 'renewed 2m ago' }),
    () => { throw new Error('forbidden'); },
  ];
  const seen: (string | undefined)[] = [];
  const watch: OperatorWatch = new OperatorWatch({
    check: async () => answers.shift()!(), clock, logger: silentLogger, onChange: () => seen.push(watch.presence?.evidence),
  });
  watch.start();
  while (answers.length > 0) {
    await clock.timer((ms) => ms === CHECK_PERIOD);
    await clock.advanceAsync(CHECK_PERIOD);
  }
  await clock.timer((ms) => ms === CHECK_PERIOD);
  watch.stop();
  // Not each renewal of an operator that runs.
  expect(seen).toEqual(['renewed 1s ago', 'renewed 1m ago', 'renewed 2m ago', undefined]);
});
