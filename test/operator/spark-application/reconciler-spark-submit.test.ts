/* Submissions by spark-submit, which take a while. */
import type { Layers } from '../../../src/plan/defaults/layer';
import { parseLayer } from '../../../src/plan/defaults/parse';
import { viewOf } from '../../../src/model/pod-view';
import { operatorLabels } from '../../../src/plan/properties/pod-properties';
import { driverOf, operator, server, statusIn } from './operator';
import { sparkSubmitter } from './submitter';

test('a driver that spark-submit has created counts when spark-submit has ended: until then it lacks what it needs, and the warnings are not told', async () => {
  const calls = server({ mode: 'client' });
  const { sparkSubmit, started } = sparkSubmitter();
  const { reconcile, events, pods } = operator(calls, { sparkSubmit });
  await reconcile();
  pods.upsert(viewOf(calls.put('pods jobs/pi-driver', {
    metadata: {
      name: 'pi-driver', namespace: 'jobs', uid: 'pod', labels: operatorLabels({ name: 'pi', uid: 'app', attempt: 1, submissionID: statusIn(calls).submissionID }),
      ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'app', controller: true }],
    },
    status: { phase: 'Pending' },
  })));
  await reconcile();
  expect(events).toEqual(['SparkApplicationSubmitting']);

  await (await started()).finish({ kind: 'submitted' });
  await reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
  expect(events).toEqual(['SparkApplicationSubmitting', 'SparkApplicationSubmitted', 'SparkApplicationSpecWarning']);
});

test('a limit that comes while spark-submit runs does not count for that run: it would create a driver of an application that has failed', async () => {
  const calls = server();
  const { sparkSubmit, started } = sparkSubmitter();
  let layers: Layers = {};
  const { reconcile } = operator(calls, { sparkSubmit, defaults: { current: () => ({ kind: 'ready', layers }) } });
  await reconcile();
  const run = await started();
  layers = { cluster: parseLayer({ metadata: { namespace: 'spark-operator', name: 'defaults', resourceVersion: '2' }, data: { 'limits.yaml': 'maxExecutors: 0' } } as any) };
  await reconcile();
  expect(run.signal.aborted).toBe(false);
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1 });
  expect(statusIn(calls).applicationState).toBeUndefined();

  calls.put('pods jobs/pi-driver', driverOf(calls, 'spark-drv-1-conf-map'));
  await (await started()).finish({ kind: 'submitted' });
  await reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
});

test('an object of its name that another user has created: no JVM is started', async () => {
  const calls = server({ monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: false, prometheus: { jmxExporterJar: '/agent.jar' } } });
  const create = calls.create.bind(calls);
  calls.create = async (resource, object) => {
    if (resource.kind === 'ConfigMap') calls.put(calls.key(resource, object.metadata), { metadata: { ...object.metadata, labels: {}, ownerReferences: [], uid: 'theirs' } });
    return create(resource, object);
  };
  const { sparkSubmit, runs, ends } = sparkSubmitter();
  const { reconcile } = operator(calls, { sparkSubmit });
  await reconcile();
  await ends(1);
  await reconcile();
  expect(runs).toEqual([]);
  expect(statusIn(calls).applicationState).toMatchObject({ state: 'FAILED', errorMessage: expect.stringContaining('ConfigMap') });
});

test('a run of spark-submit that was ended in the middle: its driver is deleted, and taken for nothing while it goes', async () => {
  const calls = server({ monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: false, prometheus: { jmxExporterJar: '/agent.jar' } } });
  const { sparkSubmit, started } = sparkSubmitter();
  const { reconcile } = operator(calls, { sparkSubmit });
  await reconcile();
  calls.put('pods jobs/pi-driver', driverOf(calls, 'spark-drv-1-conf-map'));
  // Graceful deletion: the Pod is there for a while.
  calls.delete = async (resource, ref) => {
    calls.made.push(`delete ${resource.plural}`);
    const key = calls.key(resource, ref);
    const found = calls.objects.get(key);
    if (resource.plural === 'pods') calls.put(key, { ...found, metadata: { ...found.metadata, deletionTimestamp: '2026-03-01T10:00:00Z' } });
    else calls.objects.delete(key);
  };
  await (await started()).finish({ kind: 'failed', message: 'failed to run spark-submit: it took too long', retry: 'lasting', interrupted: true });
  await reconcile();

  expect(calls.made).toContain('delete pods');
  expect(statusIn(calls).applicationState).toEqual({ state: '', errorMessage: 'driver cannot be created yet: failed to run spark-submit: it took too long' });
  // What the operator itself had created for it is gone, too.
  expect([...calls.objects.keys()].filter((key) => key.startsWith('configmaps'))).toEqual([]);
});

test('while the operator\'s own webhook is away spark-submit is tried again soon, and no attempt counts', async () => {
  const calls = server();
  const { sparkSubmit, started } = sparkSubmitter();
  const { reconcile, clock } = operator(calls, { sparkSubmit, submission: { mode: 'spark-submit', sparkUser: 'spark', podWebhook: true } });
  for (let tries = 0; tries < 100; tries++) {
    await reconcile();
    await (await started(tries)).finish({ kind: 'failed', message: 'failed to run spark-submit: the webhook is away', retry: 'passing', interrupted: false, byWebhook: true });
    const { requeueAfter } = await reconcile() as { requeueAfter: number };
    expect(requeueAfter).toBeLessThanOrEqual(10_000);
    await clock.advance(requeueAfter);
  }
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1, applicationState: { state: '', errorMessage: 'driver cannot be created yet: failed to run spark-submit: the webhook is away' } });
});

test('a webhook that is left over, of an operator that runs without it, is said to be', async () => {
  const calls = server();
  const { sparkSubmit, started } = sparkSubmitter();
  const { reconcile } = operator(calls, { sparkSubmit });
  await reconcile();
  await (await started()).finish({ kind: 'failed', message: 'the webhook is away', retry: 'passing', interrupted: false, byWebhook: true });
  await reconcile();
  expect(statusIn(calls).applicationState.errorMessage).toMatch(/the webhook is away; this operator runs without a webhook \(--webhook=off\): .*kubectl delete mutatingwebhookconfigurations NAME$/);
});
