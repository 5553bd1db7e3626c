/* Without a configured Lease, the console finds the operators by the statuses that they wrote. */
import { ClusterView } from '../../../src/console/server/cluster-view';
import { KnownOperators } from '../../../src/console/server/known-operators';
import { leaseCheck } from '../../../src/console/server/operator-lease';
import { systemClock } from '../../../src/kube/clock';
import { silentLogger } from '../../../src/kube/logger';
import { application, FakeCluster } from '../helpers/fake-cluster';

const NOW = Date.parse('2026-03-01T10:00:00Z');

let cluster: FakeCluster;

beforeEach(async () => { cluster = await FakeCluster.start(); });
afterEach(() => cluster.stop());

/** An application whose status the operator of a namespace wrote last. */
const writtenBy = (manager: string) => application('pi', {
  metadata: { name: 'pi', namespace: 'jobs', uid: 'a', managedFields: [{ manager, subresource: 'status', time: '2026-03-01T09:00:00Z' }] },
});
const lease = (namespace: string, renewTime: string) => cluster.put('leases', {
  metadata: { namespace, name: 'spark-operator-controller-lock' }, spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime },
});
const check = (...managers: readonly string[]) => {
  const operators = new KnownOperators();
  for (const manager of managers) operators.add(writtenBy(manager));
  return operators.check(cluster.client, { now: () => NOW })(AbortSignal.timeout(60_000));
};

test('without a status, it is unknown whether an operator runs', async () => {
  expect([await check(), await check('kubeflow-operator')]).toEqual([undefined, undefined]);
});

test('an operator whose Lease is late does not run; another one might', async () => {
  lease('gone', '2026-03-01T09:00:00Z');
  cluster.put('namespaces', { metadata: { name: 'deleted' } });
  expect(await check('cdk8s-spark-operator.gone')).toMatchObject({ isActive: false, evidence: expect.stringContaining('renewed 1h ago') });
  expect(await check('cdk8s-spark-operator.gone', 'cdk8s-spark-operator.deleted')).toMatchObject({ isActive: false });
  lease('here', '2026-03-01T09:59:59Z');
  expect(await check('cdk8s-spark-operator.gone', 'cdk8s-spark-operator.here')).toMatchObject({ isActive: true });
});

test('an operator is known by its schedules, too', async () => {
  lease('gone', '2026-03-01T09:00:00Z');
  const operators = new KnownOperators();
  const { metadata } = writtenBy('cdk8s-spark-operator.gone');
  operators.add({ metadata, spec: { schedule: '@daily' }, status: { scheduleState: 'Scheduled' } } as any);
  expect(await operators.check(cluster.client, { now: () => NOW })(AbortSignal.timeout(60_000))).toMatchObject({ isActive: false });
});

test('each application has its own operator; with a configured Lease, those of others are unknown', async () => {
  lease('gone', '2026-03-01T09:00:00Z');
  lease('here', '2026-03-01T09:59:59Z');
  cluster.put('sparkapplications', writtenBy('cdk8s-spark-operator.gone'));
  const { metadata, ...other } = writtenBy('cdk8s-spark-operator.here');
  cluster.put('sparkapplications', { ...other, metadata: { ...metadata, name: 'b', uid: 'b' } });
  const { metadata: ofSchedule } = writtenBy('cdk8s-spark-operator.here');
  cluster.put('scheduledsparkapplications', { metadata: { ...ofSchedule, name: 'nightly' }, spec: { schedule: '@daily', template: {} } });
  const { uid: _, ...unwritten } = application('new').metadata;
  const gone = { namespace: 'gone', name: 'spark-operator-controller-lock' };
  const clock = Object.assign(Object.create(systemClock), { now: () => NOW });
  const seen = async (options: object) => {
    const view = new ClusterView({ client: cluster.client, logger: silentLogger, clock, ...options });
    const applications = ['cdk8s-spark-operator.gone', 'cdk8s-spark-operator.here'].map(writtenBy);
    view.start();
    try {
      for (const end = Date.now() + 20_000; !view.operatorOf({ metadata: unwritten } as any) && Date.now() < end;) await new Promise((resolve) => setTimeout(resolve, 20));
      const rows = [...view.feed.snapshot(() => true)].flatMap((part) => [...part.applications?.put ?? [], ...part.schedules?.put ?? []]);
      return {
        own: applications.map((each) => view.operatorOf(each)?.isActive), fresh: view.operatorOf({ metadata: unwritten } as any)?.isActive,
        others: Object.fromEntries(rows.map(({ name, otherOperator }) => [name, otherOperator ?? false])),
      };
    } finally {
      await view.stop();
    }
  };
  // The active one might have taken over.
  expect(await seen({})).toEqual({ own: [undefined, true], fresh: true, others: { pi: false, b: false, nightly: false } });
  expect(await seen({ operatorLease: gone, checkOperator: leaseCheck(cluster.client, gone, clock) })).toEqual({
    own: [false, undefined], fresh: false, others: { pi: false, b: true, nightly: true },
  });
});
