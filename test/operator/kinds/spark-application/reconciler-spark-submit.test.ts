/* Submissions by spark-submit, which runs in a Pod of the application's namespace. */
import type { Layers } from '../../../../src/plan/defaults/layer';
import { parseLayer } from '../../../../src/plan/defaults/parse';
import { viewOf } from '../../../../src/model/pod-view';
import { BY_SPARK_SUBMIT, driverOf, endSparkSubmit, operator, server, statusIn, submitterIn } from './operator';
import type { Calls } from './helpers';

const submission = BY_SPARK_SUBMIT;
const MONITORED = { monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: false, prometheus: { jmxExporterJar: '/agent.jar' } } };

/** Stores the driver that spark-submit creates, and its ConfigMap. */
function putDriver(calls: Calls, metadata: object = {}) {
  calls.put('configmaps jobs/spark-drv-1-conf-map', { metadata: { name: 'spark-drv-1-conf-map', namespace: 'jobs' } });
  return calls.put('pods jobs/pi-driver', driverOf(calls, 'spark-drv-1-conf-map', metadata));
}

const podsOf = (calls: Calls) => [...calls.objects.keys()].filter((key) => key.startsWith('pods ')).sort();
const configMapsOf = (calls: Calls) => (
  [...calls.objects.keys()].filter((key) => key.startsWith('configmaps ')).map((key) => key.split('/')[1])
);
const created = (calls: Calls) => calls.made.filter((call) => call === 'create pods').length;

test('known failure R7: spark-submit creates the driver; its Pod and ConfigMap are deleted afterwards', async () => {
  const calls = server({ mode: 'client' });
  const { reconcile, events, pods } = operator(calls, { submission });
  await reconcile();
  const { metadata: { name } } = submitterIn(calls);
  expect(calls.objects.has(`configmaps jobs/${name}`)).toBe(true);
  // While spark-submit runs, the operator ignores its driver: it lacks its ConfigMap.
  pods.upsert(viewOf(putDriver(calls)));
  await reconcile();
  expect(events).toEqual(['SparkApplicationSubmitting', 'SparkApplicationSpecWarning']);
  expect(statusIn(calls).applicationState).toBeUndefined();

  endSparkSubmit(calls, pods);
  await reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
  expect(events).toEqual(['SparkApplicationSubmitting', 'SparkApplicationSpecWarning', 'SparkApplicationSubmitted']);

  await reconcile();
  expect(podsOf(calls)).toEqual(['pods jobs/pi-driver']);
  expect(calls.objects.has(`configmaps jobs/${name}`)).toBe(false);
});

describe('an operator that is restarted adopts the Pod', () => {
  /** Starts an operator that sees the server's Pods. */
  function restarted(calls: Calls) {
    const next = operator(calls, { submission });
    for (const [key, object] of calls.objects) if (key.startsWith('pods ')) next.pods.upsert(viewOf(object));
    return next;
  }

  test('while spark-submit waits or runs', async () => {
    const calls = server();
    await operator(calls, { submission }).reconcile();
    await restarted(calls).reconcile();
    expect([created(calls), statusIn(calls).submissionAttempts]).toEqual([1, 1]);

    const { reconcile, pods } = restarted(calls);
    putDriver(calls);
    endSparkSubmit(calls, pods);
    await reconcile();
    expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
  });

  test('after it has ended', async () => {
    const calls = server();
    const first = operator(calls, { submission });
    await first.reconcile();
    putDriver(calls);
    endSparkSubmit(calls, first.pods);
    const { reconcile } = restarted(calls);
    await reconcile();
    expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
    await reconcile();
    expect([created(calls), podsOf(calls)]).toEqual([1, ['pods jobs/pi-driver']]);
  });

  test('before it has seen the Pod', async () => {
    const calls = server();
    await operator(calls, { submission }).reconcile();
    await operator(calls, { submission }).reconcile();
    expect(podsOf(calls)).toHaveLength(1);
    expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1 });
  });
});

test('a limit that is set while spark-submit runs does not apply to that run, which would create a driver of a failed application', async () => {
  const calls = server();
  let layers: Layers = {};
  const { reconcile, pods } = operator(calls, { submission, defaults: { current: () => ({ kind: 'ready', layers }) } });
  await reconcile();
  layers = {
    cluster: parseLayer(
      {
        metadata: { namespace: 'spark-operator', name: 'defaults', resourceVersion: '2' }, data: { 'limits.yaml': 'maxExecutors: 0' },
      } as any,
    ),
  };
  await reconcile();
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1 });
  expect(statusIn(calls).applicationState).toBeUndefined();

  putDriver(calls);
  endSparkSubmit(calls, pods);
  await reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
});

test("the operator does not start spark-submit if another user's object has the name", async () => {
  const calls = server(MONITORED);
  const create = calls.create.bind(calls);
  calls.create = async (resource, object) => {
    if (resource.kind === 'ConfigMap') {
      calls.put(calls.key(resource, object.metadata), { metadata: { ...object.metadata, labels: {}, ownerReferences: [], uid: 'theirs' } });
    }
    return create(resource, object);
  };
  await operator(calls, { submission }).reconcile();
  expect(podsOf(calls)).toEqual([]);
  expect(statusIn(calls).applicationState).toMatchObject({ state: 'FAILED', errorMessage: expect.stringContaining('ConfigMap') });
});

test('the operator deletes the driver of a terminated spark-submit, and ignores it during its deletion', async () => {
  const calls = server(MONITORED);
  const { reconcile, pods } = operator(calls, { submission });
  await reconcile();
  putDriver(calls);
  // A Pod in graceful deletion exists for a while.
  calls.delete = async (resource, ref) => {
    calls.made.push(`delete ${resource.plural}`);
    const key = calls.key(resource, ref);
    const found = calls.objects.get(key);
    if (resource.plural === 'pods') {
      calls.put(
        key, { ...found, metadata: { ...found.metadata, deletionTimestamp: '2026-03-01T10:00:00Z' } },
      );
    } else {calls.objects.delete(key);}
  };
  const ended = endSparkSubmit(calls, pods, { exitCode: 1, reason: 'DeadlineExceeded' });
  await reconcile();

  expect(calls.objects.get('pods jobs/pi-driver').metadata.deletionTimestamp).toBeDefined();
  expect(calls.objects.get(`pods jobs/${ended.metadata.name}`).metadata.deletionTimestamp).toBeDefined();
  expect(statusIn(calls).applicationState).toEqual({
    state: '', errorMessage: 'driver cannot be created yet: failed to run spark-submit: it took longer than 300 s',
  });
  // The operator's own objects are gone, too.
  expect(configMapsOf(calls)).toEqual(['spark-drv-1-conf-map']);
});

/** Returns the last lines of spark-submit for a request that the API server rejects. */
const rejected = (code: number, message: string) => 'Exception in thread "main" io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: '
  + `POST at: https://10.0.0.1/api/v1/namespaces/jobs/pods. Message: ${message}. Received status: Status(apiVersion=v1, code=${code}).`;
const WEBHOOK = 'Internal error occurred: failed calling webhook "mutate-pod.sparkoperator.k8s.io": failed to call webhook: Post "https://w.spark-operator.svc:443/mutate--v1-pod?timeout=8s": no route to host';

test('while the API server cannot call the operator\'s webhook, spark-submit restarts soon within one attempt', async () => {
  const calls = server();
  const { reconcile, clock, pods } = operator(calls, { submission: { ...submission, podWebhook: true } });
  for (let tries = 0; tries < 20; tries++) {
    await reconcile();
    endSparkSubmit(calls, pods, { exitCode: 1, message: rejected(500, WEBHOOK) });
    const { requeueAfter } = await reconcile() as { requeueAfter: number };
    expect(requeueAfter).toBeLessThanOrEqual(10_000);
    for (const pod of pods.list()) pods.apply('DELETED', pod);
    await clock.advance(requeueAfter);
  }
  expect(created(calls)).toBe(20);
  expect(statusIn(calls)).toMatchObject({
    submissionAttempts: 1,
    applicationState: {
      state: '', errorMessage: expect.stringMatching(/^driver cannot be created yet: failed to run spark-submit: .*webhook/),
    },
  });
});

test('the operator reports a left-over webhook if it runs without one', async () => {
  const calls = server();
  const { reconcile, pods } = operator(calls, { submission });
  await reconcile();
  endSparkSubmit(calls, pods, { exitCode: 1, message: rejected(500, WEBHOOK) });
  await reconcile();
  expect(statusIn(calls).applicationState.errorMessage).toMatch(
    /this operator runs without a webhook \(--webhook=off\): .*kubectl delete mutatingwebhookconfigurations NAME$/,
  );
});

test('the Pod of a submission that failed for good stays for its log, until the application runs again', async () => {
  const calls = server();
  const { reconcile, pods } = operator(calls, { submission });
  await reconcile();
  const ended = endSparkSubmit(calls, pods, { exitCode: 1, message: rejected(422, 'Pod "x" is invalid') });
  await reconcile();
  await reconcile();
  expect(statusIn(calls).applicationState).toMatchObject({ state: 'FAILED', errorMessage: expect.stringContaining('Pod "x" is invalid') });
  expect(calls.objects.has(`pods jobs/${ended.metadata.name}`)).toBe(true);
});

test.each([['has failed', 1], ['has completed', 0]])('the Pod of a successful submission does not stay after a driver that %s in the meantime', async (_, exitCode) => {
  const calls = server();
  const { reconcile, pods, see } = operator(calls, { submission });
  await reconcile();
  const driver = putDriver(calls);
  const containerStatuses = [{ name: 'spark-kubernetes-driver', state: { terminated: { exitCode } } }];
  calls.put('pods jobs/pi-driver', { ...driver, status: { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses } });
  const { metadata: { name } } = endSparkSubmit(calls, pods);
  await reconcile();
  expect(statusIn(calls).applicationState).toMatchObject({ state: exitCode === 0 ? 'COMPLETED' : 'FAILED' });

  see();
  await reconcile();
  expect(podsOf(calls)).toEqual(['pods jobs/pi-driver']);
  expect(calls.objects.has(`configmaps jobs/${name}`)).toBe(false);
});

test('a suspension ends spark-submit before the operator deletes anything else', async () => {
  const calls = server();
  const { reconcile, pods, see } = operator(calls, { submission });
  await reconcile();
  const application = calls.objects.get('sparkapplications jobs/pi');
  calls.put('sparkapplications jobs/pi', {
    ...application, spec: { ...application.spec, suspend: true }, metadata: { ...application.metadata, generation: 2 },
  });
  see();
  await reconcile();
  expect(podsOf(calls)).toEqual([]);
  for (const pod of pods.list()) pods.apply('DELETED', pod);
  await reconcile();
  expect(statusIn(calls).applicationState).toMatchObject({ state: 'SUSPENDED' });
  expect(configMapsOf(calls)).toEqual([]);
});
