import { isForReconciler } from '../../src/operator/at-work';
import { Store } from '../../src/kube/store';
import type { SparkApplication } from '../../src/model/spark-application';

test('applications of namespaces at work are reconciled, others wait; those that are gone are forgotten wherever they were', () => {
  const applications = new Store<SparkApplication>();
  for (const namespace of ['selected', 'deselected']) {
    applications.upsert({ metadata: { name: 'pi', namespace, uid: namespace, resourceVersion: '1' }, spec: {} } as unknown as SparkApplication);
  }
  const isFor = (key: string) => isForReconciler(key, applications, (namespace) => namespace === 'selected');
  expect(['selected/pi', 'selected/gone', 'deselected/pi', 'deselected/gone'].map(isFor)).toEqual([true, true, false, true]);
});
