/*
 * Large applications, of which the operator keeps only facts in memory, and the cost of the
 * cluster's defaults.
 */
import type { KubeClient } from '../../../../src/kube/client';
import { silentLogger } from '../../../../src/kube/logger';
import { Store } from '../../../../src/kube/store';
import type { PodView } from '../../../../src/model/pod-view';
import type { SparkApplication } from '../../../../src/model/spark-application';
import { applicationKeyOf, BY_APPLICATION } from '../../../../src/operator/kinds/spark-application/observe';
import { SparkApplicationReconciler, type ReconcilerOptions } from '../../../../src/operator/kinds/spark-application/reconciler';
import { transform } from '../../../../src/operator/kinds/spark-application/transform';
import { ManualClock } from '../../../kube/helpers/manual-clock';
import { Calls } from './helpers';
import { KEY, putApplication, statusIn } from './operator';

const text = (kib: number) => 'x'.repeat(kib * 1024);
const LARGE = { sparkConf: { 'spark.example.long': text(100) }, driver: { podName: 'named' } };
const HUGE = { sparkConf: { 'spark.example.long': text(1_300) }, restartPolicy: { type: 'Always' } };

/** Starts an operator whose store holds objects as the watch would put them there. */
function operator(calls: Calls, more: Partial<ReconcilerOptions> = {}) {
  const applications = new Store<SparkApplication>();
  const pods = new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf } });
  const events: string[] = [];
  let ids = 0;
  // Each answer is a new object.
  const client = Object.assign(Object.create(calls), {
    updateStatus: async (...given: Parameters<Calls['updateStatus']>) => structuredClone(await calls.updateStatus(...given)),
  });
  const reconciler = new SparkApplicationReconciler({
    client: client as KubeClient, applications, pods, clock: new ManualClock(Date.parse('2026-03-01T10:00:00Z')),
    events: { record: (_, { reason }) => void events.push(reason) }, newId: () => `00000000-0000-4000-8000-00000000000${++ids}`,
    settings: { driverStartTimeout: 300_000, sparkSubmitTimeout: 300_000, maxTrackedExecutors: 10, defaultTimeToLive: 0 },
    writer: 'this-operator',
    submission: { mode: 'auto', sparkUser: 'spark' },
    ...more,
  });
  const see = () => {
    const stored = calls.objects.get(`sparkapplications ${KEY}`);
    applications.upsert(transform(structuredClone(stored), applications.get(KEY)));
  };
  see();
  return { events, see, applications, reconcile: () => reconciler.reconcile(KEY, { logger: silentLogger }) };
}

function server(spec: object): Calls {
  const calls = new Calls();
  putApplication(calls, { spec });
  return calls;
}

test('the operator reads a large application when it submits it, not before or after', async () => {
  const calls = server(LARGE);
  const { reconcile, applications } = operator(calls);
  expect(applications.get(KEY)!.cut).toBeDefined();
  await reconcile();
  expect(calls.made).toEqual([
    'update sparkapplications',
    'get sparkapplications',
    'create services',
    'create configmaps',
    'create pods',
    'update sparkapplications',
  ]);
  expect(statusIn(calls)).toMatchObject({ applicationState: { state: 'SUBMITTED' }, driverInfo: { podName: 'named' } });
  const configMaps = [...calls.objects].filter(([key]) => key.startsWith('configmaps')).map(([, { data }]) => JSON.stringify(data));
  expect(configMaps.some((data) => data.includes(text(100)))).toBe(true);
  expect(applications.get(KEY)!.cut).toBeDefined();
});

test('an application that changes between the decision and its submission is not submitted', async () => {
  const calls = server(LARGE);
  const { reconcile, see } = operator(calls);
  calls.refuse = (call) => {
    if (call !== 'get sparkapplications') return;
    const stored = calls.objects.get(`sparkapplications ${KEY}`);
    calls.put(`sparkapplications ${KEY}`, {
      ...stored, metadata: { ...stored.metadata, generation: 2 }, spec: { ...stored.spec, arguments: ['new'] },
    });
    calls.refuse = () => undefined;
  };
  await expect(reconcile()).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
  expect(calls.made).toEqual(['update sparkapplications', 'get sparkapplications']);
  see();
  await reconcile();
  expect([...calls.objects.keys()].filter((key) => key.startsWith('pods'))).toEqual(['pods jobs/named']);
  expect(calls.objects.get('pods jobs/named').spec.containers[0].args).toContain('new');
});

test('an application that is gone by then is left to the watch', async () => {
  const calls = server(LARGE);
  const { reconcile } = operator(calls);
  calls.refuse = (call) => {
    if (call === 'get sparkapplications') calls.objects.clear();
  };
  await expect(reconcile()).rejects.toMatchObject({ status: 409 });
  expect(calls.objects.size).toBe(0);
});

test('an application beyond a limit fails with one write, whatever its restart policy, until an edit', async () => {
  const calls = server(HUGE);
  const { reconcile, see, events } = operator(calls);
  expect(await reconcile()).toEqual({ requeueAfter: undefined });
  expect(calls.made).toEqual(['update sparkapplications']);
  expect(statusIn(calls)).toMatchObject({
    applicationState: {
      state: 'FAILED', errorMessage: expect.stringMatching(/^spec must have at most 256 KiB as JSON, not 1301 KiB; move/),
    },
  });
  expect(statusIn(calls)).not.toHaveProperty('submissionAttempts');
  expect(events).toEqual(['SparkApplicationSubmissionFailed', 'SparkApplicationFailed']);
  for (let pass = 0; pass < 3; pass++) {
    see();
    expect(await reconcile()).toEqual({ requeueAfter: undefined });
  }
  // Another process makes the same decision.
  expect(await operator(calls).reconcile()).toEqual({ requeueAfter: undefined });
  expect(calls.made).toEqual(['update sparkapplications']);

  const stored = calls.objects.get(`sparkapplications ${KEY}`);
  calls.put(
    `sparkapplications ${KEY}`, { ...stored, metadata: { ...stored.metadata, generation: 2 }, spec: { ...stored.spec, sparkConf: {} } },
  );
  see();
  await reconcile();
  expect(statusIn(calls)).toMatchObject({ applicationState: { state: 'SUBMITTED' }, submissionAttempts: 1 });
});

test('an application with too long a list fails in the same way, even if it is kept whole', async () => {
  const calls = server({ restartPolicy: { type: 'Always' }, volumes: Array.from({ length: 257 }, () => ({})) });
  const { reconcile, applications } = operator(calls);
  expect(applications.get(KEY)!.cut).toBeUndefined();
  expect(await reconcile()).toEqual({ requeueAfter: undefined });
  expect(calls.made).toEqual(['update sparkapplications']);
  expect(statusIn(calls).applicationState).toEqual({
    state: 'FAILED', errorMessage: expect.stringMatching(/^spec\.volumes must have at most 256 entries, not 257/),
  });
});

test('an attempt that an earlier version began with it ends in the same way', async () => {
  const calls = new Calls();
  const attempt = {
    submissionID: 'earlier', submissionAttempts: 1, lastSubmissionAttemptTime: '2026-03-01T09:59:59Z', driverInfo: { podName: 'pi-driver' },
  };
  putApplication(calls, { spec: HUGE, status: attempt });
  const { reconcile } = operator(calls);
  expect(await reconcile()).toEqual({ requeueAfter: undefined });
  expect(statusIn(calls).applicationState.state).toBe('FAILED');
  expect([...calls.objects.keys()]).toEqual([`sparkapplications ${KEY}`]);
});

describe('defaults are applied once for each resource version and version of the defaults', () => {
  /** Returns defaults that count how often they are merged into a specification. */
  function counted() {
    let reads = 0;
    const layer = () => ({
      configMap: 'spark/defaults', resourceVersion: '1', enforced: {}, limits: {},
      get defaults() {
        reads++;
        return { timeToLiveSeconds: 3_600 };
      },
    });
    let layers = { cluster: layer() };
    // Each call returns a new object with the content of the ConfigMaps, as `DefaultsSource` does.
    const defaults = { current: () => ({ kind: 'ready', layers: { ...layers } }) } as unknown as ReconcilerOptions['defaults'];
    return { defaults, change: () => { layers = { cluster: layer() }; }, reads: () => reads };
  }

  test.each<[string, object, number]>([
    ['of usual size', {}, 1],
    // Its facts stay the same object for each generation.
    ['that is large', LARGE, 0],
  ])('of an application %s that has ended', async (_, spec, each) => {
    const { defaults, change, reads } = counted();
    const calls = new Calls();
    const status = {
      submissionID: 'id',
      driverInfo: { podName: 'pi-driver' },
      applicationState: { state: 'COMPLETED' },
      terminationTime: '2026-03-01T09:59:00Z',
    };
    putApplication(calls, { spec, status });
    const { reconcile, see } = operator(calls, { defaults });
    const pass = async () => {
      const before = reads();
      expect(await reconcile()).toEqual({ requeueAfter: 300_000 });
      return reads() - before;
    };
    // The operator writes its status.
    await pass();
    see();
    expect(await pass()).toBe(each);
    for (let more = 0; more < 5; more++) expect(await pass()).toBe(0);
    change();
    expect(await pass()).toBe(1);
    expect(await pass()).toBe(0);
    calls.put(`sparkapplications ${KEY}`, calls.objects.get(`sparkapplications ${KEY}`));
    see();
    expect(await pass()).toBe(each);
    expect(await pass()).toBe(0);
  });

  test('of an application that is submitted: the submission uses the merged specification of the decision', async () => {
    const { defaults, reads } = counted();
    const calls = server({});
    await operator(calls, { defaults }).reconcile();
    expect(statusIn(calls)).toMatchObject({
      applicationState: { state: 'SUBMITTED' }, appliedDefaults: [{ fields: ['spec.timeToLiveSeconds'] }],
    });
    // It is new, and then submitted.
    expect(reads()).toBe(2);
  });
});
