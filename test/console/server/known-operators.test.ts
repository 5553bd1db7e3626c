/* Without a configured Lease, the console finds the operators by the statuses that they wrote. */
import { KnownOperators } from '../../../src/console/server/known-operators';
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
