import type { Pod } from '../../../src/operator/kubernetes-objects';
import { improveDriver } from '../../../src/operator/submission/native/improvements';

const driver = (containers: object[]) => ({ metadata: { name: 'd' }, spec: { containers, restartPolicy: 'Never' } }) as unknown as Pod;

test("Spark's container, the last one, leaves the end of its log in the Pod's status when it fails; a sidecar does not", () => {
  const { spec } = improveDriver(driver([{ name: 'sidecar' }, { name: 'spark-kubernetes-driver' }]));
  expect(spec.containers).toEqual([{ name: 'sidecar' }, { name: 'spark-kubernetes-driver', terminationMessagePolicy: 'FallbackToLogsOnError' }]);
});

test('a policy that a template sets stays', () => {
  const { spec } = improveDriver(driver([{ name: 'spark-kubernetes-driver', terminationMessagePolicy: 'File' }]));
  expect(spec.containers[0]).toMatchObject({ terminationMessagePolicy: 'File' });
});

test('no variables of Services', () => {
  expect(improveDriver(driver([{ name: 'c' }])).spec).toMatchObject({ enableServiceLinks: false, restartPolicy: 'Never' });
});
