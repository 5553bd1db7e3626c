import { ApplicationState } from '../../../src/api/states';
import type { SparkApplication, WholeApplication } from '../../../src/model/spark-application';
import { transform } from '../../../src/operator/spark-application/transform';
import { Contention } from '../../../src/operator/spark-application/rivals';

const US = 'cdk8s-spark-operator';

/** An application as the API server sends it, with those who have written to its status, and when. */
function application(resourceVersion: string, writers: Record<string, string>): SparkApplication {
  const managedFields = Object.entries(writers).map(([manager, time]) => ({ manager, time, operation: 'Update', subresource: 'status' }));
  return transform({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'uid', resourceVersion, managedFields } as SparkApplication['metadata'],
    spec: {} as WholeApplication['spec'],
    // Kubeflow's CRD: none of our own fields is kept, so that none can be lost.
    status: { driverInfo: {}, applicationState: { state: ApplicationState.RUNNING } },
  });
}

test('another operator is noticed by its name, and its application left alone for a while, then taken up again', () => {
  const rivals = new Contention(US);
  rivals.onWritten(application('1', { [US]: '2026-03-01T10:00:00Z' }));
  const theirs = application('2', { [US]: '2026-03-01T10:00:00Z', 'spark-operator': '2026-03-01T10:00:05Z' });

  expect(rivals.check(theirs, 0)).toEqual({ remaining: 30_000, reason: 'spark-operator has written the status after this operator' });
  expect(rivals.check(theirs, 20_000)).toEqual({ remaining: 10_000, reason: undefined });
  expect(rivals.check(theirs, 30_000)).toBeUndefined();
});

test('our own writes are no rivals', () => {
  const rivals = new Contention(US);
  rivals.onWritten(application('1', { 'spark-operator': '2026-03-01T09:00:00Z', [US]: '2026-03-01T10:00:00Z' }));
  expect(rivals.check(application('2', { 'spark-operator': '2026-03-01T09:00:00Z', [US]: '2026-03-01T10:00:00Z' }), 0)).toBeUndefined();
});
