import { Preparations } from '../../../../src/operator/admission/mutate/preparations';
import type { AdmissionDependencies } from '../../../../src/operator/admission/dependencies';
import type { WholeApplication } from '../../../../src/model/spark-application';
import { pi, plainPod } from './pods';
import { world } from './world';

const application = pi() as unknown as WholeApplication;
const executor = (labels: object = {}) => plainPod('executor', {
  metadata: { labels: { 'sparkoperator.k8s.io/submission-id': 's', ...labels } },
});

const layer = (value: string) => ({
  configMap: 'spark/defaults', resourceVersion: '1', defaults: { sparkConf: { 'spark.a': value } }, enforced: {}, limits: {},
});

/** Preparations in a cluster whose defaults can change. */
function preparations() {
  let layers: object = { cluster: layer('1') };
  const defaults = { current: () => ({ kind: 'ready', layers }) } as unknown as AdmissionDependencies['defaults'];
  return { preparations: new Preparations(world([], { defaults })), change: (to: object) => { layers = to; } };
}

test('the executors of a submission share one preparation', () => {
  const { preparations: all } = preparations();
  const first = all.of(executor(), application);
  expect(all.of(executor({ 'spark-exec-id': '2' }), application)).toBe(first);
});

test('another attempt, submission, application or state of the defaults is prepared again', () => {
  const { preparations: all, change } = preparations();
  const first = all.of(executor(), application);
  expect(all.of(executor(), { ...application })).not.toBe(first);
  expect(all.of(executor({ 'sparkoperator.k8s.io/submission-id': 'other' }), application).context.submissionID).toBe('other');
  expect(all.of(executor({ 'sparkoperator.k8s.io/attempt': '2' }), application).context.attempt).toBe(2);
  expect(all.of(executor(), application).properties.get('spark.a')).toBe('1');
  change({ namespace: layer('2') });
  expect(all.of(executor(), application).properties.get('spark.a')).toBe('2');
});

test('the cache keeps 8 MiB of preparations', () => {
  const { preparations: all } = preparations();
  let uids = 0;
  const numbered = (spec: object) => ({
    ...application, metadata: { ...application.metadata, uid: `uid-${++uids}` }, spec: { ...application.spec, ...spec },
  });
  const first = numbered({});
  const prepared = all.of(executor(), first);
  for (let number = 0; number < 100; number++) all.of(executor(), numbered({ arguments: [String(number)] }));
  expect(all.of(executor(), first)).toBe(prepared);
  // Each weighs 200 KB.
  for (let number = 0; number < 45; number++) all.of(executor(), numbered({ arguments: [String(number), 'x'.repeat(100_000), 'y'.repeat(100_000)] }));
  expect(all.of(executor(), first)).not.toBe(prepared);
});

test('an application with too many labels for driver and executors is not prepared', () => {
  const labels = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`label-${index}`, 'a'.repeat(60)]));
  const { preparations: all } = preparations();
  expect(() => all.of(executor(), {
    ...application, metadata: { ...application.metadata, labels },
  })).toThrow(/^metadata\.labels must have at most 64 KiB as JSON, not 1\d\d KiB; write labels that select nothing as annotations$/);
});
