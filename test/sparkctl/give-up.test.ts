/* `sparkctl status` and `describe`: when the operator gives up on a driver that does not start. */
import { FakeCluster } from './cluster';
import { NOW, sparkctl } from './helpers';

const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

const given = (renewed: number) => new FakeCluster()
  .put('leases', { metadata: { name: 'spark-operator-controller-lock', namespace: 'ops' }, spec: { holderIdentity: 'pod', leaseDurationSeconds: 15, renewTime: at(-renewed), acquireTime: at(-5_000) } } as any)
  .put('sparkapplications', {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'pi', creationTimestamp: at(-60), managedFields: [{ manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: at(-50) }] },
    spec: { driver: {}, executor: {} },
    status: {
      applicationState: { state: 'SUBMITTED', errorMessage: 'driver does not start: ImagePullBackOff: Back-off pulling image "x"' },
      startDeadlineTime: at(240), lastSubmissionAttemptTime: at(-60), driverInfo: {},
    },
  } as any);

const whyOf = async (fake: FakeCluster, command = 'status') => /^Why: +(.*)$/m.exec((await sparkctl([command, 'pi'], { cluster: fake })).stdout)?.[1];

test.each(['status', 'describe'])('%s has the time that is left', async (command) => {
  expect(await whyOf(given(2), command))
    .toBe('The driver has waited for 1m: ImagePullBackOff: Back-off pulling image "x"; the operator gives up in 4m (--driver-start-timeout).');
});

test('there is no such time without an operator', async () => {
  expect(await whyOf(given(3_000))).not.toContain('gives up');
});
