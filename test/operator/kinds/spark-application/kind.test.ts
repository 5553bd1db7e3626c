import type { PodView } from '../../../../src/model/pod-view';
import type { RuntimeDependencies } from '../../../../src/operator/runtime/kind-controller';
import { ApiError } from '../../../../src/kube/errors';
import { silentLogger } from '../../../../src/kube/logger';
import type { KubeObject } from '../../../../src/kube/objects';
import type { Resource } from '../../../../src/kube/resource';
import { Store } from '../../../../src/kube/store';
import { sparkApplications } from '../../../../src/operator/kinds/spark-application/kind';
import type { SparkApplication } from '../../../../src/model/spark-application';
import { applicationKeyOf, BY_APPLICATION } from '../../../../src/operator/kinds/spark-application/observe';
import { ManualClock, settle } from '../../../kube/helpers/manual-clock';
import { Calls } from './helpers';
import { putApplication } from './operator';

const application = (name: string, now: number, labels: Record<string, string> = {}) => ({
  metadata: { name, namespace: 'jobs', uid: name, resourceVersion: '2', creationTimestamp: new Date(now).toISOString(), labels },
  spec: { type: 'Python', sparkVersion: '4.1.1', driver: {}, executor: {} },
}) as unknown as SparkApplication;

/** Returns watches without changes, and an API server for the work of the terms. */
const dependenciesOf = (api: object, clock: ManualClock, workers: number) => ({
  client: Object.assign(api, {
    openPage: async () => ({ items: [], metadata: { resourceVersion: '1' } }),
    watch: (_: unknown, { signal }: { signal: AbortSignal }) => (
      new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    ),
  }),
  namespaces: ['jobs'], isSelected: () => true, syncTimeout: 30_000, workers, maxRetryDelay: 60_000, logger: silentLogger, clock,
  metrics: { add: () => ({ hooks: {}, onReconcile: () => undefined }) },
}) as unknown as RuntimeDependencies;

/**
 * Returns the kind with an empty API server that rejects each write. `begun` lists the applications
 * whose status the kind tried to write.
 */
async function start(schedulesWait: () => boolean) {
  const clock = new ManualClock();
  const begun = new Set<string>();
  const applications = new Store<SparkApplication>();
  const pods = new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf } });
  const api = {
    get: async () => { throw new ApiError({ verb: 'get', resource: 'pods' }, 404, { reason: 'NotFound' }); },
    updateStatus: async (_: unknown, { metadata }: SparkApplication) => {
      begun.add(metadata.name);
      throw new Error('refused');
    },
  };
  const dependencies = dependenciesOf(api, clock, 2);
  const kind = sparkApplications({
    applications, pods, schedulesWait,
    reconcilerOptions: () => ({
      events: { record: () => undefined }, writer: 'this-operator', submission: { mode: 'native', sparkUser: 'spark' }, newId: () => 'id',
      settings: { driverStartTimeout: 300_000, sparkSubmitTimeout: 300_000, maxTrackedExecutors: 100, defaultTimeToLive: 0 },
    }),
  }, dependencies);
  kind.start();
  await settle();
  kind.beginTerm();
  return { clock, begun, applications, end: () => kind.abandonTerm().then(() => kind.stop()) };
}

const RUN = { 'sparkoperator.k8s.io/scheduled-app-name': 'nightly' };

test('while schedules wait for the creation of their runs, the operator submits other applications, but not these', async () => {
  let waiting = true;
  const { clock, begun, applications, end } = await start(() => waiting);
  applications.upsert(application('nightly-1', clock.now(), RUN));
  applications.upsert(application('mine', clock.now()));
  await clock.advanceAsync(3_000);
  expect([...begun]).toEqual(['mine']);
  waiting = false;
  await clock.advanceAsync(1_000);
  expect([...begun]).toEqual(['mine', 'nightly-1']);
  await end();
});

test('no run waits for other runs longer than 15 s', async () => {
  const { clock, begun, applications, end } = await start(() => true);
  applications.upsert(application('nightly-1', clock.now(), RUN));
  await clock.advanceAsync(14_000);
  expect(begun.size).toBe(0);
  await clock.advanceAsync(1_000);
  expect([...begun]).toEqual(['nightly-1']);
  await end();
});

test("at most half of the process's workers wait for its webhook", async () => {
  const clock = new ManualClock(Date.parse('2026-03-01T10:00:00Z'));
  let waiting = 0;
  const calls = new class extends Calls {
    override async create(resource: Resource, object: KubeObject) {
      if (resource.plural !== 'pods') return super.create(resource, object);
      waiting++;
      return new Promise<never>(() => {});
    }
  }();
  const applications = new Store<SparkApplication>();
  const kind = sparkApplications({
    applications, pods: new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf } }),
    reconcilerOptions: () => ({
      events: { record: () => undefined }, writer: 'this-operator', submission: { mode: 'auto', sparkUser: 'spark', podWebhook: true }, newId: () => 'id',
      settings: { driverStartTimeout: 300_000, sparkSubmitTimeout: 300_000, maxTrackedExecutors: 100, defaultTimeToLive: 0 },
    }),
  }, dependenciesOf(calls, clock, 4));
  kind.start();
  await settle();
  kind.beginTerm();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) {
    putApplication(calls, { name, uid: name, spec: { executor: { memoryLimit: '6g' } } });
    applications.upsert(calls.objects.get(`sparkapplications jobs/${name}`));
  }
  await clock.advanceAsync(1_000);
  expect(waiting).toBe(2);
});
