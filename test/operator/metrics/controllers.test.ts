/* The metrics of controllers as those who know client-go and controller-runtime read them. */
import { Controller } from '../../../src/kube/controller';
import { ApiError } from '../../../src/kube/errors';
import { silentLogger } from '../../../src/kube/logger';
import { WorkQueue } from '../../../src/kube/work-queue';
import { ManualClock, settle } from '../../kube/helpers/manual-clock';
import { metricsOf, nonZero, scrape } from './helpers';

const QUEUE = '{name="scheduledsparkapplication",controller="scheduledsparkapplication"}';
const CONTROLLER = '{controller="scheduledsparkapplication"}';

test('a real queue and a real controller: what one second of work leaves', async () => {
  const load = { name: 'scheduled-spark-application', workers: 2, depth: 3, running: 1, unfinishedSeconds: 4.5, longestSeconds: 2.5 };
  const metrics = metricsOf({ controllers: () => [load] });
  const clock = new ManualClock();
  const { hooks, onReconcile } = metrics.controllers.add(load.name);
  const queue = new WorkQueue({ clock, hooks, minBackoff: 60_000, random: () => 0 });
  const answers: Record<string, () => { requeueAfter: number } | undefined> = {
    done: () => undefined,
    again: () => ({ requeueAfter: 60_000 }),
    conflict: () => { throw new ApiError({ verb: 'update', resource: 'things' }, 409, { reason: 'Conflict' }); },
    forbidden: () => { throw new ApiError({ verb: 'update', resource: 'things' }, 403); },
  };
  const controller = new Controller({
    name: load.name, queue, workers: 1, logger: silentLogger, clock, onReconcile, reconcile: async (key) => {
      await clock.advanceAsync(250);
      return answers[key]!();
    },
  });
  expect(await nonZero(metrics, 'controller_runtime_reconcile_total')).toEqual({});
  for (const key of Object.keys(answers)) {
    queue.add(key);
    queue.add(key);
  }
  controller.start();
  while (queue.depth + queue.running > 0) await settle();
  await controller.stop(0);

  const values = await scrape(metrics);
  const of = (series: string) => values.get(series);
  const failed = (outcome: string) => of(`spark_operator_failed_reconciles_total{outcome="${outcome}",controller="scheduledsparkapplication"}`);
  const result = (text: string) => of(`controller_runtime_reconcile_total{result="${text}",controller="scheduledsparkapplication"}`);
  expect([of(`workqueue_adds_total${QUEUE}`), of(`workqueue_retries_total${QUEUE}`)]).toEqual([4, 3]);
  expect(['conflict', 'transient', 'error', 'aborted'].map(failed)).toEqual([1, 0, 1, 0]);
  expect([...['success', 'requeue_after', 'error'].map(result), of(`controller_runtime_reconcile_errors_total${CONTROLLER}`)]).toEqual([1, 1, 2, 2]);
  expect([
    `workqueue_work_duration_seconds_count${QUEUE}`, `workqueue_queue_duration_seconds_count${QUEUE}`,
    `controller_runtime_reconcile_time_seconds_count${CONTROLLER}`,
  ].map(of)).toEqual([4, 4, 4]);
  const buckets = (name: string, labels: string) => ['0.1', '0.25', '+Inf'].map((le) => of(`${name}_bucket{le="${le}",${labels.slice(1)}`));
  expect(buckets('workqueue_work_duration_seconds', QUEUE)).toEqual([0, 4, 4]);
  expect(buckets('controller_runtime_reconcile_time_seconds', CONTROLLER)).toEqual([0, 4, 4]);
  expect([
    `workqueue_depth${QUEUE}`, `workqueue_unfinished_work_seconds${QUEUE}`, `workqueue_longest_running_processor_seconds${QUEUE}`,
    `controller_runtime_active_workers${CONTROLLER}`, `controller_runtime_max_concurrent_reconciles${CONTROLLER}`,
  ].map(of)).toEqual([3, 4.5, 2.5, 1, 2]);
});

test('calls of the API server as client-go counts them are the sums of ours', async () => {
  const metrics = metricsOf();
  const call = { resource: 'pods', seconds: 0.1 };
  for (const verb of ['get', 'list', 'watch']) metrics.calls.onCall({ ...call, verb, status: 200 });
  metrics.calls.onCall({ ...call, verb: 'create', status: 201 });
  metrics.calls.onCall({ ...call, verb: 'create', status: 0 });
  metrics.calls.onCall({ ...call, verb: 'deletecollection', resource: 'services', status: 200 });
  metrics.calls.onCall({ ...call, verb: 'update', resource: 'sparkapplications/status', status: 409 });
  for (let each = 0; each < 2; each++) await scrape(metrics);
  expect(await nonZero(metrics, 'rest_client_')).toEqual({
    'rest_client_requests_total{code="200",method="GET",host="10.96.0.1:443"}': 3,
    'rest_client_requests_total{code="201",method="POST",host="10.96.0.1:443"}': 1,
    'rest_client_requests_total{code="<error>",method="POST",host="10.96.0.1:443"}': 1,
    'rest_client_requests_total{code="200",method="DELETE",host="10.96.0.1:443"}': 1,
    'rest_client_requests_total{code="409",method="PUT",host="10.96.0.1:443"}': 1,
  });
});
