import { ApplicationState } from '../../../src/api/states';
import type { SparkApplication, WholeApplication } from '../../../src/model/spark-application';
import { transform } from '../../../src/operator/kinds/spark-application/transform';
import { Contention } from '../../../src/operator/runtime/contention';

const US = 'cdk8s-spark-operator';

/** An application as the API server sends it, with those who have written to its status, and when. */
function application(resourceVersion: string, writers: Record<string, string>): SparkApplication {
  const managedFields = Object.entries(writers).map(([manager, time]) => ({ manager, time, operation: 'Update', subresource: 'status' }));
  return transform({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'uid', resourceVersion, managedFields } as SparkApplication['metadata'],
    spec: {} as WholeApplication['spec'],
    status: { driverInfo: {}, applicationState: { state: ApplicationState.RUNNING } },
  });
}

test('an application to which another operator writes is left alone for a while', () => {
  const contention = new Contention(US);
  contention.onWritten(application('1', { [US]: '2026-03-01T10:00:00Z' }));
  const theirs = application('2', { [US]: '2026-03-01T10:00:00Z', 'spark-operator': '2026-03-01T10:00:05Z' });

  expect(contention.check(theirs, 0)).toEqual({ remaining: 30_000, by: 'spark-operator' });
  expect(contention.check(theirs, 20_000)).toEqual({ remaining: 10_000, by: undefined });
  expect(contention.check(theirs, 30_000)).toBeUndefined();
});

const [before, after] = ['2026-03-01T10:00:00Z', '2026-03-01T10:00:05Z'];

test('a write within the second of the own one is detected', () => {
  const contention = new Contention(US);
  contention.onWritten(application('1', { [US]: before }));
  expect(contention.check(application('2', { [US]: before, other: before }), 0)).toMatchObject({ by: 'other' });
});

test.each<[string, SparkApplication]>([
  ['an own write', application('2', { 'spark-operator': before, [US]: after })],
  ['the answer to an own write', application('1', { 'spark-operator': before, [US]: before, 'other': after })],
  ['a change of the specification', application('2', { 'spark-operator': before, [US]: before })],
  ['a repair by hand', application('2', { 'spark-operator': before, [US]: before, 'kubectl-edit': after })],
  ['a recreated application', { ...application('2', { other: after }), metadata: { name: 'pi', namespace: 'jobs', uid: 'other', resourceVersion: '2' } }],
])('%s shows no other operator', (_, seen) => {
  const contention = new Contention(US);
  contention.onWritten(application('1', { 'spark-operator': before, [US]: before }));
  expect(contention.check(seen, 0)).toBeUndefined();
});

test('a deleted application is forgotten', () => {
  const contention = new Contention(US);
  contention.onWritten(application('1', { [US]: before }));
  contention.check(application('2', { [US]: before, other: after }), 0);
  contention.forget('jobs/pi');
  expect(contention.check(application('2', { [US]: before, other: after }), 1)).toBeUndefined();
});
