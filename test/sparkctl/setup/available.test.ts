/* Conditions for an available installation, and reasons why it is not. */
import { isAvailable, isEstablished, whyNotReady } from '../../../src/sparkctl/setup/available';

test('a CRD is served if it is established and its names are accepted', () => {
  const crd = (...types: string[]): any => ({ status: { conditions: types.map((type) => ({ type, status: 'True' })) } });
  expect([undefined, crd(), crd('NamesAccepted'), crd('Established'), crd('NamesAccepted', 'Established')].map(isEstablished)).toEqual([false, false, false, false, true]);
});

test.each([
  [{}, false],
  [{ observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2 }, false],
  [{ observedGeneration: 2, replicas: 3, updatedReplicas: 2, availableReplicas: 2 }, false],
  [{ observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 1 }, false],
  [{ observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 }, true],
])('a Deployment of two replicas with the status %j: %j', (status, is) => {
  expect(isAvailable({ metadata: { name: 'o', generation: 2 }, spec: { replicas: 2 }, status } as any)).toBe(is);
});

test('explains why pods are not ready, with the remedy', () => {
  const waiting = (reason: string, message?: string): any => ({ metadata: { name: 'o-1' }, status: { containerStatuses: [{ state: { waiting: { reason, message } } }] } });
  expect(whyNotReady([])).toBeUndefined();
  expect(whyNotReady([waiting('ContainerCreating')])).toBeUndefined();
  expect(whyNotReady([waiting('ImagePullBackOff', 'Back-off pulling image "x"')])).toMatch(/^pod o-1: ImagePullBackOff: Back-off pulling image "x"; check spec\.image/);
  expect(whyNotReady([{ metadata: { name: 'o-1' }, status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available' }] } }])).toMatch(/^pod o-1: Unschedulable: 0\/1 nodes are available; no node takes it/);
});
