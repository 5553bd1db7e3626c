/* What the reconciler does when its calls fail, one by one. */
import { ApiError } from '../../../src/operator/kube/errors';
import type { KubeClient } from '../../../src/operator/kube/client';
import { silentLogger } from '../../../src/operator/kube/logger';
import { Store } from '../../../src/operator/kube/store';
import { PODS } from '../../../src/operator/resources';
import type { SparkApplication } from '../../../src/operator/spark-application/model';
import { applicationKeyOf, BY_APPLICATION } from '../../../src/operator/spark-application/observe';
import type { PodView } from '../../../src/operator/spark-application/pod-view';
import { viewOf } from '../../../src/operator/spark-application/pod-view';
import { SparkSubmitter } from '../../../src/operator/spark-application/spark-submitter';
import { SparkApplicationReconciler } from '../../../src/operator/spark-application/reconciler';
import { parseLayer } from '../../../src/operator/defaults/parse';
import type { Layers } from '../../../src/operator/defaults/layer';
import type { DefaultsSource } from '../../../src/operator/defaults/source';
import type { SparkSubmitOutcome } from '../../../src/operator/submission/spark-submit/outcome';
import type { SparkSubmitPermissions } from '../../../src/operator/submission/spark-submit/reasons-against';
import type { SparkSubmitRunner } from '../../../src/operator/submission/spark-submit/runner';
import { operatorLabels } from '../../../src/operator/submission/pod-properties';
import { ManualClock } from '../kube/helpers/manual-clock';
import { Calls } from './helpers';

const KEY = 'jobs/pi';

/** An operator that has just started: it knows what the API server holds, and remembers nothing. */
function operator(calls: Calls, clock = new ManualClock(Date.parse('2026-03-01T10:00:00Z')), sparkSubmit?: SparkSubmitter, defaults?: Pick<DefaultsSource, 'current'>) {
  const applications = new Store<SparkApplication>();
  const pods = new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf } });
  const events: string[] = [];
  let ids = 0;
  const reconciler = new SparkApplicationReconciler({
    client: calls as unknown as KubeClient, applications, pods, clock,
    events: { record: (_, { reason }) => void events.push(reason) },
    newId: () => `00000000-0000-4000-8000-00000000000${++ids}`,
    settings: { driverStartTimeout: 300_000, maxTrackedExecutors: 10, defaultTimeToLive: 0 },
    submission: { mode: sparkSubmit ? 'spark-submit' : 'auto', sparkUser: 'spark' },
    sparkSubmit,
    defaults,
  });
  const see = () => applications.upsert(calls.objects.get(`sparkapplications ${KEY}`));
  see();
  return { events, clock, see, pods, reconcile: () => reconciler.reconcile(KEY, { logger: silentLogger }) };
}

/** Runs of spark-submit that end when the test says so. */
function sparkSubmitter() {
  let finish: (outcome: SparkSubmitOutcome) => void;
  let ended: AbortSignal | undefined;
  const run = ({ signal }: { signal: AbortSignal }) => new Promise<SparkSubmitOutcome>((resolve) => {
    [finish, ended] = [resolve, signal];
    signal.addEventListener('abort', () => resolve({ kind: 'failed', message: 'it was ended', retry: 'lasting', interrupted: true }));
  });
  const sparkSubmit = new SparkSubmitter({ runner: { run } as unknown as SparkSubmitRunner, master: 'k8s://https://api', permissions: {} as SparkSubmitPermissions, onEnd: () => undefined });
  sparkSubmit.reasonsAgainst = () => [];
  return { sparkSubmit, isEnded: () => ended!.aborted, finish: async (outcome: SparkSubmitOutcome) => { finish(outcome); await new Promise(setImmediate); } };
}

function server(spec: object = {}): Calls {
  const calls = new Calls();
  calls.put(`sparkapplications ${KEY}`, {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'app', generation: 1, creationTimestamp: '2026-03-01T10:00:00Z' },
    spec: { type: 'Python', sparkVersion: '4.1.1', image: 'i', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {}, ...spec },
  });
  return calls;
}

const statusIn = (calls: Calls) => calls.objects.get(`sparkapplications ${KEY}`).status;

test('known failure 1: six calls, and no other program, from a new application to a submitted one', async () => {
  const calls = server();
  await operator(calls).reconcile();
  expect(calls.made).toEqual(['update sparkapplications', 'create services', 'create configmaps', 'create configmaps', 'create pods', 'update sparkapplications']);
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
});

describe.each(['before', 'after'] as const)('known failure 2: a crash %s call', (when) => {
  test.each([1, 2, 3, 4, 5, 6])('%i: the next operator goes on, with one driver and one attempt', async (crash) => {
    const calls = server();
    const fail = (_: string, number: number) => {
      if (number === crash) throw calls.lost();
    };
    if (when === 'before') calls.refuse = fail;
    else calls.lose = fail;
    await operator(calls).reconcile().catch(() => undefined);
    calls.refuse = calls.lose = () => undefined;
    await operator(calls).reconcile();

    expect([...calls.objects.keys()].map((key) => key.split(' ')[0]).sort()).toEqual(['configmaps', 'configmaps', 'pods', 'services', 'sparkapplications']);
    expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1, executionAttempts: 1, applicationState: { state: 'SUBMITTED' } });
  });
});

test('a refusal whose words change with each try is tried again after the pause, not at once', async () => {
  const calls = server();
  let tries = 0;
  calls.refuse = (call) => {
    if (call === 'create pods') throw calls.error('create', PODS, { name: 'pi-driver' }, 500, 'InternalError', `failed calling webhook: read tcp 10.0.0.1:${30_000 + ++tries}`);
  };
  const { reconcile, clock, events } = operator(calls);
  const first = await reconcile();
  for (let wake = 0; wake < 20; wake++) await reconcile();
  expect(tries).toBe(1);
  expect(events).toEqual(['SparkDriverPending']);

  await clock.advance((first as { requeueAfter: number }).requeueAfter);
  await reconcile();
  expect({ tries, writes: calls.made.filter((call) => call === 'update sparkapplications').length }).toEqual({ tries: 2, writes: 2 });
});

test('known failure 2: a driver whose creation was not answered, of a specification that was changed since: it is found and deleted, and the new one counts', async () => {
  const calls = server();
  calls.lose = (call) => {
    if (call === 'create pods') throw calls.lost();
  };
  const { reconcile, see } = operator(calls);
  await expect(reconcile()).rejects.toThrow('no answer');
  calls.lose = () => undefined;
  const edited = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, { ...edited, metadata: { ...edited.metadata, generation: 2 }, spec: { ...edited.spec, mainApplicationFile: '/not/a/uri.py' } });
  see();
  await reconcile();
  expect(calls.objects.has('pods jobs/pi-driver')).toBe(false);
  expect(statusIn(calls)).toMatchObject({ applicationState: { state: 'INVALIDATING' } });

  await reconcile();
  expect(statusIn(calls).applicationState).toMatchObject({ state: 'FAILED', errorMessage: expect.stringContaining('/not/a/uri.py') });
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1, observedGeneration: 2 });
  expect([...calls.objects.keys()]).toEqual([`sparkapplications ${KEY}`]);
});

test.each([
  [422, 'Invalid', 'FAILED', 'the API server does not create Pod pi-driver: no'],
  [403, 'Forbidden', '', 'driver cannot be created yet: the API server does not create Pod pi-driver: no'],
])('what a submission that is refused with %i had created is removed', async (status, reason, state, errorMessage) => {
  const calls = server();
  calls.refuse = (call) => {
    if (call === 'create pods') throw calls.error('create', PODS, { name: 'pi-driver' }, status, reason, 'no');
  };
  await operator(calls).reconcile();
  expect([...calls.objects.keys()]).toEqual([`sparkapplications ${KEY}`]);
  expect(statusIn(calls).applicationState).toEqual({ state, errorMessage });
});

test('a conflict of the status goes to the queue: somebody else was faster', async () => {
  const calls = server();
  const { reconcile } = operator(calls);
  const stored = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, { ...stored, spec: { ...stored.spec, image: 'other' } });
  await expect(reconcile()).rejects.toThrow(ApiError);
  expect(calls.made).toEqual(['update sparkapplications']);
});

test('a driver that spark-submit has created counts when spark-submit has ended: until then it lacks what it needs, and the warnings are not told', async () => {
  const calls = server({ mode: 'client' });
  const { sparkSubmit, finish } = sparkSubmitter();
  const { reconcile, events, pods } = operator(calls, undefined, sparkSubmit);
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

  await finish({ kind: 'submitted' });
  await reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
  expect(events).toEqual(['SparkApplicationSubmitting', 'SparkApplicationSubmitted', 'SparkApplicationSpecWarning']);
});

test('a limit that comes while spark-submit runs does not count for that run: it would create a driver of an application that has failed', async () => {
  const calls = server();
  const { sparkSubmit, finish, isEnded } = sparkSubmitter();
  let layers: Layers = {};
  const { reconcile } = operator(calls, undefined, sparkSubmit, { current: () => ({ kind: 'ready', layers }) });
  await reconcile();
  layers = { cluster: parseLayer({ metadata: { namespace: 'spark-operator', name: 'defaults', resourceVersion: '2' }, data: { 'limits.yaml': 'maxExecutors: 0' } } as any) };
  await reconcile();
  expect(isEnded()).toBe(false);
  expect(statusIn(calls).applicationState).toEqual({ state: '' });

  calls.put('pods jobs/pi-driver', driverOf(calls, 'spark-drv-1-conf-map'));
  await finish({ kind: 'submitted' });
  await reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
});

test('what cannot be submitted any more ends the run of spark-submit', async () => {
  const calls = server({ monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: false, prometheus: { jmxExporterJar: '/agent.jar' } } });
  const { sparkSubmit, isEnded } = sparkSubmitter();
  const { reconcile } = operator(calls, undefined, sparkSubmit);
  await reconcile();
  const [made] = [...calls.objects.keys()].filter((key) => key.endsWith('-prom-conf'));
  calls.put(made!, { metadata: { namespace: 'jobs', name: made!.split('/')[1], uid: 'theirs' } });
  await reconcile();
  expect(isEnded()).toBe(true);
  expect(statusIn(calls).applicationState.state).toBe('FAILED');
});

/** A driver as kubeflow's operator creates it. */
function theirDriver(metadata: object = {}) {
  return {
    metadata: {
      name: 'pi-driver', namespace: 'jobs', uid: 'pod', labels: {
        'sparkoperator.k8s.io/app-name': 'pi', 'sparkoperator.k8s.io/submission-id': 'theirs', 'sparkoperator.k8s.io/launched-by-spark-operator': 'true',
        'spark-role': 'driver', 'spark-app-selector': 'spark-theirs',
      },
      ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'app', controller: true }],
      ...metadata,
    },
    spec: { containers: [] },
    status: { phase: 'Running' },
  };
}

/** A server with an application and a status as kubeflow's operator writes it. */
function takenOver(state: string, status: object = {}, spec: object = {}): Calls {
  const calls = server(spec);
  const stored = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, {
    ...stored,
    status: { submissionID: 'before', submissionAttempts: 1, lastSubmissionAttemptTime: '2026-03-01T09:00:00Z', terminationTime: null, driverInfo: { podName: 'pi-driver' }, applicationState: { state }, ...status },
  });
  return calls;
}

const changes = (calls: Calls) => calls.made.filter((call) => !call.includes('sparkapplications') && !/^(get|list)/.test(call));

test.each<[string, () => Calls, number]>([
  ['without a status', () => server(), 1],
  ['with the status of the attempt before', () => takenOver('PENDING_RERUN', { driverInfo: {} }), 2],
  ['and then taken for somebody else\'s', () => takenOver('SUBMISSION_FAILED', { submissionAttempts: 2 }), 3],
])("a driver that kubeflow's operator has created before it was replaced, %s: it is carried on, and no second one is made", async (_, started, attempts) => {
  const calls = started();
  const { reconcile, pods } = operator(calls);
  pods.upsert(viewOf(calls.put('pods jobs/pi-driver', theirDriver())));
  await reconcile();

  expect(statusIn(calls)).toMatchObject({ submissionID: 'theirs', sparkApplicationId: 'spark-theirs', applicationState: { state: 'RUNNING' }, submissionAttempts: attempts, executionAttempts: 1 });
  expect(changes(calls)).toEqual([]);
});

test('such a driver of an application that is to be suspended is deleted', async () => {
  const calls = server({ suspend: true });
  const { reconcile, pods } = operator(calls);
  pods.upsert(viewOf(calls.put('pods jobs/pi-driver', theirDriver())));
  await reconcile();

  expect(changes(calls)).toEqual(['delete pods']);
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUSPENDING' });
});

test("a driver whose name kubeflow's operator has taken out of the status, and which is still being deleted: it is waited for", async () => {
  const calls = takenOver('PENDING_RERUN', { submissionID: 'theirs', driverInfo: {} });
  const { reconcile, pods } = operator(calls);
  pods.upsert(viewOf(calls.put('pods jobs/pi-driver', theirDriver({ deletionTimestamp: '2026-03-01T10:00:00Z' }))));
  expect(await reconcile()).toEqual({ requeueAfter: 10_000 });

  expect(changes(calls)).toEqual([]);
  expect(statusIn(calls)).toMatchObject({ submissionID: 'theirs', submissionAttempts: 1, applicationState: { state: 'PENDING_RERUN' } });
});

test('a driver of an earlier attempt that the cache does not show yet: it is waited for, and deleted when it is seen', async () => {
  const calls = server();
  calls.put('pods jobs/pi-driver', { ...theirDriver(), metadata: { ...theirDriver().metadata, labels: operatorLabels({ name: 'pi', uid: 'app', attempt: 1, submissionID: 'earlier' }) } });
  const { reconcile, pods, clock } = operator(calls);
  const first = await reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: '', errorMessage: 'driver cannot be created yet: a Pod pi-driver of before is still being deleted' });
  expect(calls.objects.has('pods jobs/pi-driver')).toBe(true);

  pods.upsert(viewOf(calls.objects.get('pods jobs/pi-driver')));
  await clock.advance((first as { requeueAfter: number }).requeueAfter);
  await reconcile();
  expect(calls.objects.has('pods jobs/pi-driver')).toBe(false);
});

test('known failure 8: executors that are owned by their application, too, are deleted when their driver is gone; others go by themselves', async () => {
  const calls = takenOver('RUNNING', { submissionID: 'theirs', executionAttempts: 1 });
  const { reconcile, pods } = operator(calls);
  for (const [name, labels] of [['theirs', {}], ['ours', { 'sparkoperator.k8s.io/app-uid': 'app' }]] as const) {
    const executor = theirDriver({ name, uid: name, labels: { ...theirDriver().metadata.labels, ...labels, 'spark-role': 'executor', 'spark-exec-id': '1' }, ownerReferences: [] });
    pods.upsert(viewOf(calls.put(`pods jobs/${name}`, executor)));
  }
  await reconcile();

  expect(statusIn(calls).applicationState.state).toBe('FAILED');
  expect([...calls.objects.keys()].filter((key) => key.startsWith('pods'))).toEqual(['pods jobs/ours']);
});

test('known failure 8: an application that is deleted while its driver is created: Kubernetes takes the driver along', async () => {
  const calls = server();
  calls.lose = (call) => {
    if (call === 'create pods') calls.refuse = (next) => { if (next.includes('sparkapplications')) throw calls.error('update', PODS, { name: 'pi' }, 404, 'NotFound'); };
  };
  await operator(calls).reconcile();

  const { ownerReferences } = calls.objects.get('pods jobs/pi-driver').metadata;
  expect(ownerReferences).toEqual([expect.objectContaining({ kind: 'SparkApplication', uid: 'app', controller: true })]);
});

test.each([409, 500])('known failure R6: an edit is not lost if the first write after it is answered with %i', async (status) => {
  const calls = server();
  const { reconcile, see } = operator(calls);
  await reconcile();
  const running = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, { ...running, metadata: { ...running.metadata, generation: 2 }, spec: { ...running.spec, image: 'new' } });
  see();
  calls.refuse = (call) => { if (call.startsWith('update')) throw calls.error('update', PODS, { name: 'pi' }, status, 'No'); };
  await expect(reconcile()).rejects.toThrow(ApiError);
  calls.refuse = () => undefined;
  await reconcile();
  expect(statusIn(calls).applicationState.state).toBe('INVALIDATING');
});

test('known failure R5: a driver of an edited application whose deletion fails is deleted by the next try', async () => {
  const calls = server();
  const { reconcile, see } = operator(calls);
  await reconcile();
  const running = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, { ...running, metadata: { ...running.metadata, generation: 2 }, spec: { ...running.spec, image: 'new' } });
  see();
  calls.refuse = (call) => { if (call === 'delete pods') throw calls.error('delete', PODS, { name: 'pi-driver' }, 500, 'No'); };
  await expect(reconcile()).rejects.toThrow(ApiError);
  calls.refuse = () => undefined;
  await reconcile();
  expect(calls.objects.has('pods jobs/pi-driver')).toBe(false);
});

/** The API server drops the fields of the status that kubeflow's CRD does not have. */
function withTheirCrd(calls: Calls): Calls {
  const updateStatus = calls.updateStatus.bind(calls);
  calls.updateStatus = (resource, { status, ...rest }) => {
    const { specHash: _, observedGeneration: __, conditions: ___, appliedDefaults: ____, ...kept } = status!;
    return updateStatus(resource, { ...rest, status: kept });
  };
  return calls;
}

/** Operators that start one after the other, and come to the end of a pass. The first one crashes before one of its calls. */
async function passes(calls: Calls, time: string, crash: number): Promise<void> {
  const last = calls.made.length + crash;
  for (let operators = 0; operators < 4; operators++) {
    const { pods, reconcile } = operator(calls, new ManualClock(Date.parse(time)));
    for (const [key, pod] of calls.objects) if (key.startsWith('pods')) pods.upsert(viewOf(pod));
    calls.refuse = (_, number) => { if (operators === 0 && number >= last) throw calls.lost(); };
    await reconcile().catch(() => undefined);
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])("with kubeflow's CRD an application is run, and again after a failure; a crash before call %i makes no other driver", async (crash) => {
  const calls = withTheirCrd(server({ restartPolicy: { type: 'OnFailure', onFailureRetries: 1, onFailureRetryInterval: 1 } }));
  await passes(calls, '2026-03-01T10:00:00Z', crash);
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 1, executionAttempts: 1, applicationState: { state: 'SUBMITTED' } });
  expect(calls.made.filter((call) => call === 'delete pods')).toEqual([]);

  calls.put('pods jobs/pi-driver', { ...calls.objects.get('pods jobs/pi-driver'), status: { phase: 'Failed' } });
  await passes(calls, '2026-03-01T10:01:00Z', crash);
  expect(statusIn(calls)).toMatchObject({ submissionAttempts: 2, executionAttempts: 2, applicationState: { state: 'SUBMITTED' } });
  expect(calls.objects.get('pods jobs/pi-driver').metadata.labels['sparkoperator.k8s.io/submission-id']).toBe(statusIn(calls).submissionID);
});

/** A driver as spark-submit creates it, with the ConfigMap of this name in its volume. */
function driverOf(calls: Calls, configMap: string, metadata: object = {}) {
  return {
    metadata: {
      name: 'pi-driver', namespace: 'jobs', uid: 'pod', labels: operatorLabels({ name: 'pi', uid: 'app', attempt: 1, submissionID: statusIn(calls).submissionID }),
      ownerReferences: [{ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: 'pi', uid: 'app', controller: true }],
      ...metadata,
    },
    spec: { containers: [], volumes: [{ name: 'spark-conf-volume-driver', configMap: { name: configMap } }] },
    status: { phase: 'Pending' },
  };
}

test('a driver that was left without its ConfigMap, as spark-submit was ended with the operator before: it is deleted, and the reason is told', async () => {
  const calls = server();
  calls.refuse = (call) => { if (call === 'create pods') throw calls.lost(); };
  await operator(calls).reconcile().catch(() => undefined);
  calls.refuse = () => undefined;
  calls.put('pods jobs/pi-driver', driverOf(calls, 'spark-drv-1-conf-map'));
  const { reconcile, events, pods } = operator(calls);
  pods.upsert(viewOf(calls.objects.get('pods jobs/pi-driver')));
  await reconcile();

  expect(calls.objects.has('pods jobs/pi-driver')).toBe(false);
  expect(statusIn(calls).applicationState.errorMessage).toBe('driver cannot be created yet: Pod pi-driver was left without its ConfigMap spark-drv-1-conf-map and is made again');
  expect(events).toEqual(['SparkDriverPending']);
});

test('a run of spark-submit that was ended in the middle: its driver is deleted, and taken for nothing while it goes', async () => {
  const calls = server({ monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: false, prometheus: { jmxExporterJar: '/agent.jar' } } });
  const { sparkSubmit, finish } = sparkSubmitter();
  const { reconcile } = operator(calls, undefined, sparkSubmit);
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
  await finish({ kind: 'failed', message: 'failed to run spark-submit: it took too long', retry: 'lasting', interrupted: true });
  await reconcile();

  expect(calls.made).toContain('delete pods');
  expect(statusIn(calls).applicationState).toEqual({ state: '', errorMessage: 'driver cannot be created yet: failed to run spark-submit: it took too long' });
  // What the operator itself had created for it is gone, too.
  expect([...calls.objects.keys()].filter((key) => key.startsWith('configmaps'))).toEqual([]);
});

test("a claim that is somebody else's is used as it is, and survives a submission that is refused", async () => {
  const volume = 'spark.kubernetes.driver.volumes.persistentVolumeClaim.v';
  const calls = server({
    sparkConf: { [`${volume}.mount.path`]: '/v', [`${volume}.options.claimName`]: 'precious', [`${volume}.options.storageClass`]: 'fast', [`${volume}.options.sizeLimit`]: '1Gi' },
  });
  calls.put('persistentvolumeclaims jobs/precious', { metadata: { name: 'precious', namespace: 'jobs', uid: 'theirs' } });
  calls.refuse = (call) => { if (call === 'create pods') throw calls.error('create', PODS, { name: 'pi-driver' }, 422, 'Invalid'); };
  await operator(calls).reconcile();

  expect(statusIn(calls).applicationState.state).toBe('FAILED');
  expect(calls.made).not.toContain('delete persistentvolumeclaims');
  expect(calls.objects.get('persistentvolumeclaims jobs/precious').metadata.uid).toBe('theirs');
  expect([...calls.objects.keys()].map((key) => key.split(' ')[0]).sort()).toEqual(['persistentvolumeclaims', 'sparkapplications']);
});

test('an end whose write was not answered, and that the cache does not show yet: no driver is created for it', async () => {
  const calls = server();
  calls.refuse = (call) => { if (call === 'create pods') throw calls.error('create', PODS, { name: 'pi-driver' }, 422, 'Invalid'); };
  calls.lose = (call, number) => { if (call === 'update sparkapplications' && number > 1) throw calls.lost(); };
  const { reconcile, see } = operator(calls);
  await expect(reconcile()).rejects.toThrow('no answer');
  expect(statusIn(calls).applicationState.state).toBe('FAILED');

  calls.refuse = calls.lose = () => undefined;
  await expect(reconcile()).rejects.toMatchObject({ status: 409 });
  see();
  await reconcile();
  expect(calls.made.filter((call) => call === 'create pods')).toHaveLength(1);
  expect(calls.objects.has('pods jobs/pi-driver')).toBe(false);
});

test('a cache of pods that is behind, with the driver of before: the current one is not taken for gone', async () => {
  const calls = server();
  await operator(calls).reconcile();
  const { reconcile, pods } = operator(calls);
  const labels = operatorLabels({ name: 'pi', uid: 'app', attempt: 1, submissionID: 'earlier' });
  pods.upsert(viewOf({ ...driverOf(calls, 'c', { uid: 'pod-of-before', resourceVersion: '9', labels }), status: { phase: 'Running' } } as Parameters<typeof viewOf>[0]));
  await reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUBMITTED' });
});

test('what is left of an attempt because a deletion was not answered goes with the next try', async () => {
  const calls = server();
  await operator(calls).reconcile();
  const stored = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, { ...stored, metadata: { ...stored.metadata, generation: 2 }, spec: { ...stored.spec, suspend: true } });
  await operator(calls).reconcile();
  calls.refuse = (call) => { if (call === 'delete configmaps') throw calls.lost(); };
  await expect(operator(calls).reconcile()).rejects.toThrow('no answer');
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUSPENDING' });

  calls.refuse = () => undefined;
  await operator(calls).reconcile();
  expect(statusIn(calls).applicationState).toEqual({ state: 'SUSPENDED' });
  expect([...calls.objects.keys()]).toEqual([`sparkapplications ${KEY}`]);
});

test('an application that is being deleted, or gone, is left alone', async () => {
  const calls = server();
  const stored = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(`sparkapplications ${KEY}`, { ...stored, metadata: { ...stored.metadata, deletionTimestamp: '2026-03-01T10:00:00Z' } });
  await operator(calls).reconcile();
  expect(calls.made).toEqual([]);
});
