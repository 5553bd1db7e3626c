/* The kind at work, with the real queue: what wakes a schedule, and when. */
import { KindController, type RuntimeDependencies } from '../../../../src/operator/runtime/kind-controller';
import { viewOf, type PodView } from '../../../../src/model/pod-view';
import { silentLogger } from '../../../../src/kube/logger';
import { Store } from '../../../../src/kube/store';
import { BY_SCHEDULE_KEY, scheduleKeyOfDriver } from '../../../../src/operator/kinds/scheduled-spark-application/drivers';
import { scheduledSparkApplications } from '../../../../src/operator/kinds/scheduled-spark-application/kind';
import { BY_SCHEDULE, scheduleUidsOf } from '../../../../src/model/scheduled-spark-application';
import type { SparkApplication } from '../../../../src/model/spark-application';
import { transform } from '../../../../src/operator/kinds/spark-application/transform';
import { countRuns } from '../../../../src/operator/metrics/schedules';
import { Registry } from 'prom-client';
import { settle } from '../../../kube/helpers/manual-clock';
import { timesOf, World } from './world';

const ends: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

/** An operator of one namespace, whose lists come from the server and whose watches stay silent. */
async function operator(world: World) {
  const { server, clock } = world;
  const applications = new Store<SparkApplication>({ indexes: { [BY_SCHEDULE]: scheduleUidsOf } });
  const pods = new Store<PodView>({ indexes: { [BY_SCHEDULE_KEY]: scheduleKeyOfDriver } });
  const registry = new Registry();
  const client = Object.assign(server, {
    openPage: async ({ plural }: { plural: string }) => ({
      items: [...server.objects].filter(([key]) => key.startsWith(`${plural} `)).map(([, object]) => object), metadata: { resourceVersion: '5' },
    }),
    watch: (_: object, { signal }: { signal: AbortSignal }) => new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  });
  const dependencies = {
    client, namespaces: ['jobs'], isSelected: () => true, syncTimeout: 30_000, workers: 2, maxRetryDelay: 60_000, logger: silentLogger, clock,
    metrics: { add: () => ({ hooks: {}, onReconcile: () => undefined }) },
  } as unknown as RuntimeDependencies;
  const runs = new KindController({
    name: 'spark-application', watched: [
      { resource: { group: '', version: 'v1', kind: 'SparkApplication', plural: 'sparkapplications', namespaced: true }, store: applications, transform: transform },
    ], startWork: () => ({ reconcile: async () => undefined }),
  }, dependencies);
  const kind = scheduledSparkApplications({
    applications, pods, runs, onListenerError: (error) => { throw error; },
    reconcilerOptions: () => ({
      writer: 'this-operator', events: { record: (_, { reason, note }) => void world.events.push(`${reason}: ${note}`) }, precision: 'seconds', onCount: countRuns(registry),
    }),
  }, dependencies);
  for (const each of [runs, kind]) {
    each.start();
    each.beginTerm();
  }
  for (let turn = 0; turn < 5; turn++) await settle();
  ends.push(async () => {
    await Promise.all([runs, kind].map((each) => each.abandonTerm().then(() => each.stop())));
  });
  return { applications, pods, registry };
}

test('a schedule is reconciled when it is due, when a run ends and when its driver is gone, and not in between', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m', concurrencyPolicy: 'Replace' as never, successfulRunHistoryLimit: 0 });
  const { applications, pods, registry } = await operator(world);
  expect(world.status.nextRun).toBe('2026-03-01T10:10:00Z');
  await world.clock.advanceAsync(600_000);
  const nextVersion = () => world.server.put('others jobs/any', { metadata: { name: 'any', namespace: 'jobs' } }).metadata.resourceVersion;
  const [first] = world.runs;
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:10:00Z']);
  const calls = world.server.made.length;
  await world.clock.advanceAsync(500_000);
  expect(world.server.made).toHaveLength(calls);

  // Its driver outlives it.
  world.setDriver(first!.metadata.name, 'Running');
  const driver = viewOf(world.server.objects.get(`pods jobs/${first!.metadata.name}-driver`));
  pods.apply('ADDED', driver);
  await world.clock.advanceAsync(100_000);
  applications.apply('DELETED', { ...first!, metadata: { ...first!.metadata, resourceVersion: nextVersion() } });
  await settle();
  expect(world.names).toEqual([]);
  world.setDriver(first!.metadata.name);
  pods.apply('DELETED', { ...driver, metadata: { ...driver.metadata, resourceVersion: nextVersion() } });
  for (let turn = 0; turn < 5; turn++) await settle();
  const [second] = world.runs;
  expect(timesOf(world.runs)).toEqual(['2026-03-01T10:20:00Z']);

  world.setState(second!.metadata.name, 'COMPLETED');
  applications.apply('MODIFIED', world.runs[0]!);
  await settle();
  expect(world.server.made.at(-1)).toBe('delete sparkapplications');

  const page = await registry.metrics();
  expect(page).toContain('spark_operator_scheduled_runs_started_total{namespace="jobs",trigger="schedule"} 2');
  expect(page).toContain('spark_operator_scheduled_runs_skipped_total{namespace="jobs",reason="missed"} 0');
  expect(page).toContain('spark_operator_scheduled_run_lateness_seconds_count 2');
});

test('a refusal whose words differ each time is not tried again at once', async () => {
  const world = new World('2026-03-01T10:00:00Z', { schedule: '@every 10m' });
  const { registry } = await operator(world);
  let tries = 0;
  world.server.refuse = (call) => {
    if (call !== 'create sparkapplications' || tries > 100) return;
    tries++;
    throw world.server.error('create', { plural: 'sparkapplications' } as never, { name: 'x' }, 403, 'Forbidden', `admission webhook "x" denied the request: request ${tries} refused`);
  };
  await world.clock.advanceAsync(600_000);
  for (let turn = 0; turn < 300; turn++) await settle();
  expect(tries).toBe(1);
  await world.clock.advanceAsync(15_000);
  for (let turn = 0; turn < 300; turn++) await settle();
  expect(tries).toBe(2);
  expect(world.events.filter((event) => event.startsWith('ScheduledRunNotStarted'))).toHaveLength(2);
  expect(await registry.metrics()).toContain('spark_operator_scheduled_runs_not_started_total{namespace="jobs",trigger="schedule"} 2');
});
