import { ManualClock } from '../../../kube/helpers/manual-clock';
import { Calls } from '../../owned/calls';
import { SPEC } from './operator';
import { SERVICES } from '../../../../src/model/resources';
import { ConnectObjects } from '../../../../src/operator/kinds/spark-connect/connect-objects';
import type { SparkConnect } from '../../../../src/model/spark-connect';

/** The labels that the operator selects by. */
class ConnectCalls extends Calls {
  override list(resource: Parameters<Calls['list']>[0]): AsyncGenerator<any> {
    return super.list(resource, { labelSelector: 'sparkoperator.k8s.io/created-by-spark-operator=true' });
  }
}

test('each pass removes 20 of many Services, and requeues at once until all are gone', async () => {
  const calls = new ConnectCalls();
  for (let index = 0; index < 45; index++) {
    calls.put(SERVICES, {
      metadata: {
        name: `o-${index}`, uid: `uid-o-${index}`,
        labels: { 'sparkoperator.k8s.io/created-by-spark-operator': 'true', 'sparkoperator.k8s.io/connect-name': 'nb' },
        ownerReferences: [
          { apiVersion: 'sparkoperator.k8s.io/v1alpha1', kind: 'SparkConnect', name: 'nb', uid: 'connect', controller: true },
        ],
      },
    });
  }
  const objects = new ConnectObjects({
    client: calls as never, settings: { uiService: false, driverPodDisruptionBudget: false, ingress: {} }, clock: new ManualClock(),
  });
  const connect = { metadata: { name: 'nb', namespace: 'jobs', uid: 'connect' }, spec: SPEC } as SparkConnect;
  const passes = [];
  for (let i = 0; i < 3; i++) {
    const { retryAfter, server } = await objects.converge(connect);
    passes.push([calls.since().filter((call) => call.startsWith('delete')).length, retryAfter, server.serviceName]);
  }
  expect(passes).toEqual([[20, 0, 'nb-server'], [20, 0, 'nb-server'], [5, undefined, 'nb-server']]);
  expect(calls.names()).toEqual(['services nb-server']);
});
