/* `sparkctl status` and `describe`: when the operator gives up on a driver that does not start. */
import { synthesized } from '../constructs/operator-objects';
import { FakeCluster } from './cluster';
import { NOW, sparkctl } from './helpers';

const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

const deployment = (() => {
  const { metadata, ...others } = synthesized({ image: 'example.org/operator:1', jobNamespaces: ['jobs'] }).find(({ kind }) => kind === 'Deployment');
  return { ...others, metadata: { ...metadata, namespace: 'ops' } };
})();

const given = (state: string, errorMessage?: string, renewed = 2) => new FakeCluster()
  .put('deployments', deployment)
  .put('leases', { metadata: { name: 'spark-operator-controller-lock', namespace: 'ops' }, spec: { holderIdentity: 'pod', leaseDurationSeconds: 15, renewTime: ago(renewed), acquireTime: ago(5_000) } } as any)
  .put('sparkapplications', {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'pi', creationTimestamp: ago(60), managedFields: [{ manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: ago(50) }] },
    spec: { driver: {}, executor: {} }, status: { applicationState: { state, errorMessage }, lastSubmissionAttemptTime: ago(60), driverInfo: {} },
  } as any);

const whyOf = async (fake: FakeCluster, command = 'status') => /^Why: +(.*)$/m.exec((await sparkctl([command, 'pi'], { cluster: fake })).stdout)?.[1];

const IMAGE = 'driver does not start: ImagePullBackOff: Back-off pulling image "x"';

test.each(['status', 'describe'])('%s has the time that is left', async (command) => {
  expect(await whyOf(given('SUBMITTED', IMAGE), command))
    .toBe('The driver has waited for 1m: ImagePullBackOff: Back-off pulling image "x"; the operator gives up in about 4m (--driver-start-timeout=5m).');
});

test.each<[string, FakeCluster, string]>([
  ['a driver for which no node has room', given('SUBMITTED', 'driver does not start: Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.'), 'no node has enough CPU; the operator waits without a limit.'],
  ['a driver that cannot be created', given('', 'driver cannot be created yet: serviceaccount "x" not found'), '; the operator gives up in about 4m (--driver-start-timeout=5m).'],
])('%s', async (_, fake, end) => {
  expect((await whyOf(fake))!.endsWith(end)).toBe(true);
});

test.each<[string, FakeCluster]>([
  ['a driver that only needs time', given('SUBMITTED')], ['a running driver', given('RUNNING')], ['an operator that has ended', given('SUBMITTED', IMAGE, 3_000)],
])('%s has no such time, and no Deployment is read', async (_, fake) => {
  expect(await whyOf(fake)).not.toMatch(/gives up|without a limit/);
  expect(fake.reads).not.toContain('list deployments');
});

test('a user who cannot read the Deployment of the operator sees the rest', async () => {
  const fake = given('SUBMITTED', IMAGE);
  fake.forbidden.add('list deployments');
  expect(await whyOf(fake)).toBe('The driver has waited for 1m: ImagePullBackOff: Back-off pulling image "x".');
});
