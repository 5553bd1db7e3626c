import { Preparations } from '../../../../src/operator/admission/mutate/preparations';
import type { AdmissionWorld } from '../../../../src/operator/admission/world';
import type { WholeApplication } from '../../../../src/operator/spark-application/model';
import { pi, plainPod } from './pods';
import { world } from './world';

const application = pi() as unknown as WholeApplication;
const executor = (labels: object = {}) => plainPod('executor', { metadata: { labels: { 'sparkoperator.k8s.io/submission-id': 's', ...labels } } });

const layer = (value: string) => ({ configMap: 'spark/defaults', resourceVersion: '1', defaults: { sparkConf: { 'spark.a': value } }, enforced: {}, limits: {} });

/** Preparations in a cluster whose defaults can change. */
function preparations() {
  let layers: object = { cluster: layer('1') };
  const defaults = { current: () => ({ kind: 'ready', layers }) } as unknown as AdmissionWorld['defaults'];
  return { preparations: new Preparations(world([], { defaults })), change: (to: object) => { layers = to; } };
}

test('many executors of a submission share what was prepared for the first one', () => {
  const { preparations: all } = preparations();
  const first = all.of(executor(), application);
  expect(all.of(executor({ 'spark-exec-id': '2' }), application)).toBe(first);
});

test('another attempt, submission, state of the application or of the defaults is prepared anew', () => {
  const { preparations: all, change } = preparations();
  const first = all.of(executor(), application);
  expect(all.of(executor(), { ...application })).not.toBe(first);
  expect(all.of(executor({ 'sparkoperator.k8s.io/submission-id': 'other' }), application).context.submissionID).toBe('other');
  expect(all.of(executor({ 'sparkoperator.k8s.io/attempt': '2' }), application).context.attempt).toBe(2);
  expect(all.of(executor(), application).properties.get('spark.a')).toBe('1');
  change({ namespace: layer('2') });
  expect(all.of(executor(), application).properties.get('spark.a')).toBe('2');
});

test('what is kept has a bound: of the largest applications a few, of those of usual size many', () => {
  const { preparations: all } = preparations();
  const keptOf = (bytes: number, count: number) => {
    const applications = Array.from({ length: count }, (_, index) => ({
      ...application, metadata: { ...application.metadata, uid: `${bytes}-${index}` }, spec: { ...application.spec, sparkConf: { 'spark.long': 'x'.repeat(bytes) } },
    }));
    const first = applications.map((each) => new WeakRef(all.of(executor(), each)));
    // The newest first: to prepare one again removes the oldest.
    return applications.reverse().filter((each, index) => all.of(executor(), each) === first[count - 1 - index]!.deref()).length;
  };
  expect(keptOf(400 * 1024, 30)).toBeLessThan(25);
  expect(keptOf(0, 200)).toBe(200);
});
