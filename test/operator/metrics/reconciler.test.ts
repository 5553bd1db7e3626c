/* Metrics of the reconciler, also of status writes that enter no state. */
import { viewOf, type PodView } from '../../../src/model/pod-view';
import type { KubeClient } from '../../../src/kube/client';
import { silentLogger } from '../../../src/kube/logger';
import { Store } from '../../../src/kube/store';
import type { SparkApplication } from '../../../src/model/spark-application';
import { applicationKeyOf, BY_APPLICATION } from '../../../src/operator/kinds/spark-application/observe';
import { SparkApplicationReconciler } from '../../../src/operator/kinds/spark-application/reconciler';
import { ManualClock } from '../../kube/helpers/manual-clock';
import { Calls } from '../kinds/spark-application/helpers';
import { at, metricsOf, nonZero } from './helpers';

const KEY = 'jobs/pi';

/** A process of the operator, whose counters start at zero. */
function operator(calls: Calls, clock: ManualClock) {
  const applications = new Store<SparkApplication>();
  const pods = new Store<PodView>({ indexes: { [BY_APPLICATION]: applicationKeyOf } });
  const metrics = metricsOf({ applications: () => applications.list(), pods: () => pods.list() }, { labels: [] });
  applications.subscribe((event) => metrics.onApplication(event, clock.now()));
  const reconciler = new SparkApplicationReconciler({
    client: calls as unknown as KubeClient, applications, pods, clock, newId: () => '00000000-0000-4000-8000-000000000001',
    events: { record: () => undefined },
    settings: { driverStartTimeout: 300_000, sparkSubmitTimeout: 300_000, maxTrackedExecutors: 10, defaultTimeToLive: 0 },
    writer: 'this-operator',
    submission: { mode: 'auto', sparkUser: 'spark' },
    onTransition: (before, after, passed, failures) => metrics.onTransition(before, after, passed, clock.now(), failures),
  });
  const look = async () => {
    applications.upsert(calls.objects.get(`sparkapplications ${KEY}`));
    for (const [key, object] of calls.objects) if (key.startsWith('pods ')) pods.upsert(viewOf(object));
    await reconciler.reconcile(KEY, { logger: silentLogger });
  };
  return { metrics, look };
}

test('a run with two executors and a restart of the operator', async () => {
  const calls = new Calls();
  calls.put(`sparkapplications ${KEY}`, {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'app', generation: 1, creationTimestamp: '2026-03-01T10:00:00Z' },
    spec: { type: 'Python', sparkVersion: '4.1.1', image: 'i', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {} },
  });
  const clock = new ManualClock(at(2));
  const first = operator(calls, clock);
  await first.look();
  expect(await nonZero(first.metrics, 'spark_application_')).toMatchObject({
    spark_application_count: 1, spark_application_submit_count: 1, spark_application_submit_latency_seconds_sum: 2,
  });

  const driver = calls.objects.get('pods jobs/pi-driver');
  const executor = (id: number, phase: string) => calls.put(`pods jobs/pi-exec-${id}`, {
    metadata: {
      ...driver.metadata, name: `pi-exec-${id}`, uid: `e${id}`, labels: {
        ...driver.metadata.labels, 'spark-role': 'executor', 'spark-exec-id': `${id}`,
      },
    }, status: { phase },
  });
  await clock.advance(3_000);
  calls.put('pods jobs/pi-driver', { ...driver, status: { phase: 'Running' } });
  executor(1, 'Running');
  executor(2, 'Running');
  await first.look();
  executor(1, 'Failed');
  await first.look();
  // Changes of executors are coalesced for a second.
  await clock.advance(1_000);
  await first.look();
  expect(await nonZero(first.metrics, 'spark_')).toMatchObject({
    spark_application_running_count: 1, spark_application_start_latency_seconds_sum: 5, spark_executor_running_count: 1,
    spark_executor_failure_count: 1,
  });

  const second = operator(calls, clock);
  executor(2, 'Succeeded');
  await second.look();
  calls.put('pods jobs/pi-driver', { ...driver, status: { phase: 'Succeeded' } });
  await second.look();
  const counted = await nonZero(second.metrics, 'spark_');
  expect(counted).toMatchObject({ spark_application_success_count: 1, spark_executor_success_count: 1 });
  expect(Object.keys(counted).filter((name) => /application_(count|submit_count|running)|latency|failure/.test(name))).toEqual([]);
});

test('the failure of an attempt whose retry is due at once has its cause', async () => {
  const calls = new Calls();
  calls.put(`sparkapplications ${KEY}`, {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'app', generation: 1, creationTimestamp: '2026-03-01T10:00:00Z' },
    spec: {
      type: 'Python', sparkVersion: '4.1.1', image: 'i', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {},
      restartPolicy: { type: 'OnFailure', onFailureRetries: 3 },
    },
  });
  const clock = new ManualClock(at(2));
  const { metrics, look } = operator(calls, clock);
  await look();
  const driver = calls.objects.get('pods jobs/pi-driver');
  await clock.advance(60_000);
  const terminated = { exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-03-01T10:01:00Z' };
  calls.put('pods jobs/pi-driver', {
    ...driver, status: { phase: 'Failed', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { terminated } }] },
  });
  await look();
  // The next attempt has replaced the message in the status.
  expect(calls.objects.get(`sparkapplications ${KEY}`).status.applicationState).toMatchObject({ state: 'PENDING_RERUN' });
  expect(await nonZero(metrics, 'spark_operator_failed_attempts')).toEqual({
    'spark_operator_failed_attempts_total{namespace="jobs",cause="OOMKilled"}': 1,
  });
});
