import type { Registry } from 'prom-client';
import type { Outcome } from '../../kube/controller';
import type { WorkQueueHooks } from '../../kube/work-queue';
import { Distribution } from './distribution';
import { addFamily, addGauge, type Described, type Labels, type Sample } from './family';

/** Load of a controller at the time of a scrape. */
export interface ControllerLoad {
  readonly name: string;
  /** Concurrent reconciles at most. */
  readonly workers: number;
  /** Objects that wait for a reconcile. */
  readonly depth: number;
  /** Reconciles in progress. */
  readonly running: number;
  /** Seconds that the reconciles in progress took until now, together. */
  readonly unfinishedSeconds: number;
  /** Seconds that the longest of them took until now. */
  readonly longestSeconds: number;
}

/** Receives what a controller and its queue do. */
export interface ControllerCounter {
  readonly hooks: WorkQueueHooks;
  readonly onReconcile: (outcome: Outcome) => void;
}

/** Counts of a controller. */
interface Counts {
  readonly labels: { readonly queue: Labels; readonly controller: Labels };
  adds: number;
  delayedAdds: number;
  readonly waits: Distribution;
  readonly work: Distribution;
  readonly outcomes: Record<Outcome, number>;
}

/**
 * Upper bounds in seconds. All are also bounds of controller-runtime or, if they are powers of
 * ten, of client-go, which have more of them.
 */
const BOUNDS = [0.0001, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 100, 1000];

/** Outcomes that are errors for controller-runtime, which does not distinguish them. */
const FAILURES = ['conflict', 'transient', 'error', 'aborted'] as const satisfies readonly Outcome[];

/** Labels of client-go's queues in controller-runtime: both have the name of the controller. */
const QUEUE = ['name', 'controller'];
const CONTROLLER = ['controller'];

/**
 * Metrics of controllers and their queues, with the names, labels and meanings of client-go and
 * controller-runtime, so that dashboards for kubeflow's operator show them.
 */
export class ControllerMetrics {
  /** Counts by the name of the controller. */
  private readonly counts = new Map<string, Counts>();

  /** Adds the families to a registry. `loads` is called at each scrape. */
  constructor(private readonly registry: Registry, private readonly loads: () => Iterable<ControllerLoad>) {
    this.addQueueFamilies();
    this.addReconcileFamilies();
  }

  /** Adds a controller. Its series exist from now on. */
  add(name: string): ControllerCounter {
    const controller = controllerLabel(name);
    const counts: Counts = {
      labels: { queue: { name: controller, controller }, controller: { controller } },
      adds: 0,
      delayedAdds: 0,
      waits: new Distribution(BOUNDS),
      work: new Distribution(BOUNDS),
      outcomes: { success: 0, requeued: 0, conflict: 0, transient: 0, error: 0, aborted: 0 },
    };
    this.counts.set(name, counts);
    return {
      hooks: {
        onAdd: () => { counts.adds++; },
        onAddLater: () => { counts.delayedAdds++; },
        onStart: (seconds) => counts.waits.observe(seconds),
        onDone: (seconds) => counts.work.observe(seconds),
      },
      onReconcile: (outcome) => { counts.outcomes[outcome]++; },
    };
  }

  private addQueueFamilies(): void {
    this.gauge({ name: 'workqueue_depth', help: 'Objects that wait for a reconcile', labelNames: QUEUE }, ({ depth }) => depth);
    this.gauge({
      name: 'workqueue_unfinished_work_seconds', help: 'Seconds that reconciles in progress took until now, together', labelNames: QUEUE,
    }, ({ unfinishedSeconds }) => unfinishedSeconds);
    this.gauge({
      name: 'workqueue_longest_running_processor_seconds', help: 'Seconds that the longest reconcile in progress took until now',
      labelNames: QUEUE,
    }, ({ longestSeconds }) => longestSeconds);
    this.family('counter', {
      name: 'workqueue_adds_total', help: 'Objects that were added to the queue, without those that waited in it already',
      labelNames: QUEUE,
    }, ({ labels, adds }) => [{ sharedLabels: labels.queue, value: adds }]);
    this.family('counter', {
      name: 'workqueue_retries_total', help: 'Objects that were added with a delay, after a failure or to be reconciled again',
      labelNames: QUEUE,
    }, ({ labels, delayedAdds }) => [{ sharedLabels: labels.queue, value: delayedAdds }]);
    this.family('histogram', {
      name: 'workqueue_queue_duration_seconds', help: 'Seconds that an object waited for a reconcile after a change', labelNames: QUEUE,
    }, ({ labels, waits }, name) => waits.histogram(name, labels.queue));
    this.family('histogram', {
      name: 'workqueue_work_duration_seconds', help: 'Seconds that a reconcile of an object took', labelNames: QUEUE,
    }, ({ labels, work }, name) => work.histogram(name, labels.queue));
  }

  private addReconcileFamilies(): void {
    this.family('counter', {
      name: 'controller_runtime_reconcile_total', help: 'Reconciles by their result', labelNames: [...CONTROLLER, 'result'],
    }, (counts) => Object.entries(results(counts)).map(([result, value]) => ({
      sharedLabels: counts.labels.controller, labels: { result }, value,
    })));
    this.family('counter', {
      name: 'controller_runtime_reconcile_errors_total', help: 'Reconciles with the result `error`', labelNames: CONTROLLER,
    }, (counts) => [{ sharedLabels: counts.labels.controller, value: results(counts).error }]);
    this.family('counter', {
      name: 'spark_operator_failed_reconciles_total', help: 'Reconciles with the result `error`, by the kind of failure',
      labelNames: [...CONTROLLER, 'outcome'],
    }, ({ labels, outcomes }) => FAILURES.map((outcome) => ({
      sharedLabels: labels.controller, labels: { outcome }, value: outcomes[outcome],
    })));
    this.family('histogram', {
      name: 'controller_runtime_reconcile_time_seconds', help: 'The same as `workqueue_work_duration_seconds`', labelNames: CONTROLLER,
    }, ({ labels, work }, name) => work.histogram(name, labels.controller));
    this.gauge({
      name: 'controller_runtime_active_workers', help: 'Reconciles in progress', labelNames: CONTROLLER,
    }, ({ running }) => running);
    this.gauge({
      name: 'controller_runtime_max_concurrent_reconciles', help: 'Maximum of concurrent reconciles', labelNames: CONTROLLER,
    }, ({ workers }) => workers);
  }

  private gauge(description: Described, valueOf: (load: ControllerLoad) => number): void {
    addGauge(this.registry, description, () => [...this.loads()].map((load) => {
      const name = controllerLabel(load.name);
      return { ...load, name, controller: name };
    }), valueOf);
  }

  private family(
    type: 'counter' | 'histogram', description: Described, linesOf: (counts: Counts, name: string) => Iterable<Sample>,
  ): void {
    const counts = this.counts;
    addFamily(this.registry, { ...description, type }, () => [...counts.values()].flatMap((each) => [...linesOf(each, description.name)]));
  }
}

/**
 * Returns the name of a controller in labels, which is that of kubeflow/spark-operator: the kind in
 * lower case, such as `sparkapplication`.
 */
export function controllerLabel(name: string): string {
  return name.replaceAll('-', '');
}

/** Returns the results of reconciles as controller-runtime counts them. */
function results({ outcomes }: Counts): Record<'success' | 'requeue_after' | 'error', number> {
  return {
    success: outcomes.success,
    requeue_after: outcomes.requeued,
    error: FAILURES.reduce((sum, outcome) => sum + outcomes[outcome], 0),
  };
}
