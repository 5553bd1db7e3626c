/* Submissions by spark-submit that wait for their turn. */
import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseLayer } from '../../../src/plan/defaults/parse';
import type { Layers } from '../../../src/plan/defaults/layer';
import type { Ref } from '../../../src/kube/objects';
import type { Resource } from '../../../src/kube/resource';
import type { SparkApplication } from '../../../src/model/spark-application';
import { Calls } from './helpers';
import { driverOf, operator, putApplication, server, statusIn } from './operator';
import { sparkSubmitter } from './submitter';

const FAILED = { kind: 'failed', message: 'failed to run spark-submit', retry: 'lasting', interrupted: false } as const;
const METRICS = { monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: false, prometheus: { jmxExporterJar: '/agent.jar' } } };

/** A submitter whose only place is taken until the test ends that run. */
async function busySubmitter() {
  const submitter = sparkSubmitter();
  const calls = new Calls();
  putApplication(calls, { name: 'first', uid: 'first' });
  await operator(calls, { sparkSubmit: submitter.sparkSubmit }).reconcile('jobs/first');
  return { ...submitter, first: await submitter.started() };
}

test('the only application of a namespace is not delayed by five hundred of another', async () => {
  const calls = new Calls();
  const flood = Array.from({ length: 500 }, (_, index) => `a/flood-${index}`);
  for (const key of [...flood, 'b/only']) {
    const [namespace, name] = key.split('/') as [string, string];
    putApplication(calls, { name, namespace, uid: name });
  }
  const { sparkSubmit, runs, started } = sparkSubmitter(2);
  const { reconcile } = operator(calls, { sparkSubmit });
  for (const key of [...flood, 'b/only']) await reconcile(key);
  for (let index = 0; index < 8; index++) await (await started(index)).finish(FAILED);
  const order = runs.map(({ application }) => application);
  // Two run already, and one of the other namespace is next.
  expect(order.indexOf('b/only')).toBeLessThanOrEqual(3);
  // Those of one namespace keep their order.
  expect(order.filter((key) => key !== 'b/only')).toEqual(flood.slice(0, order.length - 1));
  await sparkSubmit.stop();
});

/** An API server whose applications have 240 KiB, each its own. */
class LargeCalls extends Calls {
  override async get(resource: Resource, ref: Ref) {
    return this.large(await super.get(resource, ref));
  }

  override async updateStatus(resource: Resource, object: SparkApplication) {
    return this.large(await super.updateStatus(resource, object));
  }

  large(object: any) {
    return { ...object, spec: { ...object.spec, sparkConf: { 'spark.example.long': randomBytes(120 * 1024).toString('hex') } } };
  }
}

test('three hundred that wait hold no specification', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const heap = () => {
    gc();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const calls = new LargeCalls();
  const names = Array.from({ length: 300 }, (_, index) => `large-${index}`);
  for (const name of names) putApplication(calls, { name, uid: name });
  const { sparkSubmit, runs, started } = sparkSubmitter();
  const { reconcile } = operator(calls, { sparkSubmit });
  const before = heap();
  for (const name of names) await reconcile(`jobs/${name}`);
  await started();
  expect(runs).toHaveLength(1);
  expect(sparkSubmit.underWay(calls.objects.get('sparkapplications jobs/large-299'))).toBe(true);
  // Their specifications have 70 MiB.
  expect(heap() - before).toBeLessThan(16);
  await sparkSubmit.stop();
}, 240_000);

test('nothing is created for an application that waits', async () => {
  const { sparkSubmit, first, started } = await busySubmitter();
  const calls = server(METRICS);
  const { reconcile, events } = operator(calls, { sparkSubmit });
  await reconcile();
  await reconcile();
  expect(events).toEqual(['SparkApplicationSubmitting']);
  expect(statusIn(calls)).toMatchObject({ submissionID: expect.any(String), submissionAttempts: 1 });
  expect(calls.made.filter((call) => call.startsWith('create'))).toEqual([]);

  await first.finish(FAILED);
  await started(1);
  expect(calls.made.filter((call) => call.startsWith('create'))).toEqual(['create configmaps']);
});

test('a limit that comes while an application waits applies to it', async () => {
  const { sparkSubmit, runs, first, ends } = await busySubmitter();
  const calls = server();
  let layers: Layers = {};
  const { reconcile } = operator(calls, { sparkSubmit, defaults: { current: () => ({ kind: 'ready', layers }) } });
  await reconcile();
  layers = { cluster: parseLayer({ metadata: { namespace: 'spark-operator', name: 'defaults', resourceVersion: '2' }, data: { 'limits.yaml': 'maxExecutors: 0' } } as any) };
  await first.finish(FAILED);
  await ends(2);
  await reconcile();
  expect(runs).toHaveLength(1);
  expect(statusIn(calls).applicationState.state).toBe('FAILED');
});

test('an application that can be submitted natively when its turn comes is', async () => {
  const { sparkSubmit, runs, first, ends } = await busySubmitter();
  const calls = server();
  const submission: { mode: 'spark-submit' | 'auto'; sparkUser: string } = { mode: 'spark-submit', sparkUser: 'spark' };
  const { reconcile } = operator(calls, { sparkSubmit, submission });
  await reconcile();
  submission.mode = 'auto';
  await first.finish(FAILED);
  await ends(2);
  // A conflict, after which the controller reconciles again.
  await expect(reconcile()).rejects.toMatchObject({ status: 409 });
  await reconcile();
  expect(runs).toHaveLength(1);
  expect(statusIn(calls).applicationState.state).toBe('SUBMITTED');
});

describe('is not run', () => {
  const edits: readonly [string, (stored: any) => object | undefined][] = [
    ['that was deleted', () => undefined],
    ['that is being deleted', ({ metadata, ...rest }) => ({ ...rest, metadata: { ...metadata, generation: 2, deletionTimestamp: '2026-03-01T10:00:00Z' } })],
    ['that was suspended', ({ metadata, spec, ...rest }) => ({ ...rest, metadata: { ...metadata, generation: 2 }, spec: { ...spec, suspend: true } })],
  ];

  test.each(edits)('an application %s while it waits', async (_, edit) => {
    const { sparkSubmit, runs, first, started } = await busySubmitter();
    const calls = server();
    const { reconcile, see, applications } = operator(calls, { sparkSubmit });
    await reconcile();
    const key = 'sparkapplications jobs/pi';
    const [waiting, edited] = [calls.objects.get(key), edit(calls.objects.get(key))];
    if (edited) {
      calls.put(key, edited);
      see();
    } else {
      calls.objects.delete(key);
      applications.apply('DELETED', waiting);
    }
    await reconcile();
    expect(sparkSubmit.underWay(waiting)).toBe(false);

    // One that comes later has its turn.
    const others = new Calls();
    putApplication(others, { name: 'later', uid: 'later' });
    await operator(others, { sparkSubmit }).reconcile('jobs/later');
    await first.finish(FAILED);
    await started(1);
    expect(runs.map(({ application }) => application)).toEqual(['jobs/first', 'jobs/later']);
  });

  test.each(edits)('an application %s while it waits, before the watch shows it', async (_, edit) => {
    const { sparkSubmit, runs, first, ends } = await busySubmitter();
    const calls = server();
    const { reconcile } = operator(calls, { sparkSubmit });
    await reconcile();
    const key = 'sparkapplications jobs/pi';
    const edited = edit(calls.objects.get(key));
    if (edited) calls.put(key, edited);
    else calls.objects.delete(key);
    await first.finish(FAILED);
    await ends(2);
    expect(runs).toHaveLength(1);
  });

  test('but one whose time to live was changed keeps its turn', async () => {
    const { sparkSubmit, runs, first, started } = await busySubmitter();
    const calls = server();
    await operator(calls, { sparkSubmit }).reconcile();
    const key = 'sparkapplications jobs/pi';
    const { metadata, spec, ...rest } = calls.objects.get(key) as any;
    calls.put(key, { ...rest, metadata: { ...metadata, generation: 2 }, spec: { ...spec, timeToLiveSeconds: 60 } });
    await first.finish(FAILED);
    await started(1);
    expect(runs.map(({ application }) => application)).toEqual(['jobs/first', 'jobs/pi']);
  });

  test('an application that waits when the operator stops: the next one finds its intent', async () => {
    const { sparkSubmit, runs } = await busySubmitter();
    const calls = server();
    await operator(calls, { sparkSubmit }).reconcile();
    const { submissionID } = statusIn(calls);
    await sparkSubmit.stop();
    expect(runs).toHaveLength(1);

    const next = sparkSubmitter();
    const { reconcile } = operator(calls, { sparkSubmit: next.sparkSubmit });
    await reconcile();
    const run = await next.started();
    calls.put('pods jobs/pi-driver', driverOf(calls, 'spark-drv-1-conf-map'));
    await run.finish({ kind: 'submitted' });
    await reconcile();
    expect(statusIn(calls)).toMatchObject({ submissionID, submissionAttempts: 1, applicationState: { state: 'SUBMITTED' } });
  });
});
