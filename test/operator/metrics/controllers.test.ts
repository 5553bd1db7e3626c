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
  const queue = new WorkQueue({ clock, hooks, random: () => 0 });
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
  for (let round = 0; round < 8; round++) await settle();
  await controller.stop(0);

  const values = await scrape(metrics);
  const shown = (...names: string[]) => Object.fromEntries(names.map((name) => [name, values.get(name)]));
  expect(values.get(`workqueue_adds_total${QUEUE}`)).toBeGreaterThanOrEqual(4);
  expect(values.get(`workqueue_retries_total${QUEUE}`)).toBeGreaterThanOrEqual(3);
  // The conflict and the refusal were tried again, some of them more than once.
  const failed = ['conflict', 'error'].map((outcome) => values.get(`spark_operator_failed_reconciles_total{outcome="${outcome}",controller="scheduledsparkapplication"}`)!);
  const errors = failed.reduce((sum, count) => sum + count);
  expect(Math.min(...failed)).toBeGreaterThanOrEqual(1);
  const result = (text: string) => `controller_runtime_reconcile_total{result="${text}",controller="scheduledsparkapplication"}`;
  expect(shown(result('success'), result('requeue_after'), result('error'), `controller_runtime_reconcile_errors_total${CONTROLLER}`)).toEqual({
    [result('success')]: 1, [result('requeue_after')]: 1, [result('error')]: errors, [`controller_runtime_reconcile_errors_total${CONTROLLER}`]: errors,
  });
  const passes = errors + 2;
  const work = `workqueue_work_duration_seconds_count${QUEUE}`;
  expect(shown(work, `workqueue_queue_duration_seconds_count${QUEUE}`, `controller_runtime_reconcile_time_seconds_count${CONTROLLER}`)).toEqual({
    [work]: passes, [`workqueue_queue_duration_seconds_count${QUEUE}`]: passes, [`controller_runtime_reconcile_time_seconds_count${CONTROLLER}`]: passes,
  });
  const buckets = (name: string, labels: string) => ['0.1', '0.25', '+Inf'].map((le) => values.get(`${name}_bucket{le="${le}",${labels.slice(1)}`));
  expect(buckets('workqueue_work_duration_seconds', QUEUE)).toEqual([0, passes, passes]);
  expect(buckets('controller_runtime_reconcile_time_seconds', CONTROLLER)).toEqual([0, passes, passes]);
  expect(shown(
    `workqueue_depth${QUEUE}`, `workqueue_unfinished_work_seconds${QUEUE}`, `workqueue_longest_running_processor_seconds${QUEUE}`,
    `controller_runtime_active_workers${CONTROLLER}`, `controller_runtime_max_concurrent_reconciles${CONTROLLER}`,
  )).toEqual({
    [`workqueue_depth${QUEUE}`]: 3, [`workqueue_unfinished_work_seconds${QUEUE}`]: 4.5, [`workqueue_longest_running_processor_seconds${QUEUE}`]: 2.5,
    [`controller_runtime_active_workers${CONTROLLER}`]: 1, [`controller_runtime_max_concurrent_reconciles${CONTROLLER}`]: 2,
  });
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
