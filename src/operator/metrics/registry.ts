import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ApplicationState, isTerminal } from '../../api/states';
import type { CallStatistics } from '../kube/client-types';
import { stateOf, type SparkApplication } from '../spark-application/model';

/** What the gauges show, asked for when Prometheus asks. */
export interface Observed {
  readonly applications: () => Iterable<SparkApplication>;
  readonly queue: { readonly depth: number };
  readonly namespaces: () => Iterable<{ readonly namespace: string; readonly watched: boolean }>;
  /** How many Kubernetes Events were lost. */
  readonly events: () => number;
}

/**
 * What Prometheus reads. The names of the application metrics are those of kubeflow/spark-operator v2, so that its dashboards keep working.
 */
export class Metrics {
  public readonly registry = new Registry();

  private readonly applications = this.counter('spark_application_count', 'Applications that the operator has submitted or tried to submit');
  private readonly submitted = this.counter('spark_application_submit_count', 'Applications whose driver was created');
  private readonly refused = this.counter('spark_application_failed_submission_count', 'Submissions that failed');
  private readonly succeeded = this.counter('spark_application_success_count', 'Applications that completed');
  private readonly failed = this.counter('spark_application_failure_count', 'Applications that failed');
  private readonly submitLatency: Histogram<'namespace'>;
  private readonly reconcileSeconds: Histogram<'outcome'>;
  private readonly queueSeconds: Histogram;
  /** Calls of the API by their labels. The counter's own way to a series makes and sorts a text of all labels, for each call. */
  private readonly calls = new Map<string, { readonly labels: Record<'verb' | 'resource' | 'status', string>; count: number }>();

  constructor({ applications, queue, namespaces, events }: Observed) {
    const { registry } = this;
    collectDefaultMetrics({ register: registry });
    new Gauge({
      name: 'spark_application_running_count',
      help: 'Applications whose driver is running',
      labelNames: ['namespace'],
      registers: [registry],
      collect() {
        this.reset();
        for (const application of applications()) {
          if (stateOf(application) === ApplicationState.RUNNING) this.inc({ namespace: application.metadata.namespace });
        }
      },
    });
    this.submitLatency = new Histogram({
      name: 'spark_application_submit_latency_seconds_histogram',
      help: 'Seconds from the creation of an application to the creation of its driver',
      labelNames: ['namespace'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    });
    this.reconcileSeconds = new Histogram({
      name: 'spark_operator_reconcile_duration_seconds',
      help: 'Seconds that looking at one application took',
      labelNames: ['outcome'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers: [registry],
    });
    this.queueSeconds = new Histogram({
      name: 'spark_operator_queue_wait_seconds',
      help: 'Seconds that an application waited to be looked at after something had changed',
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
      registers: [registry],
    });
    const { calls } = this;
    new Counter({
      name: 'spark_operator_kubernetes_requests_total',
      help: 'Calls of the Kubernetes API',
      labelNames: ['verb', 'resource', 'status'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, count } of calls.values()) this.inc(labels, count);
      },
    });
    new Gauge({
      name: 'spark_operator_namespace_watched',
      help: '1 for a namespace that is being watched, 0 for one that cannot be, or not yet',
      labelNames: ['namespace'],
      registers: [registry],
      collect() {
        for (const { namespace, watched } of namespaces()) this.set({ namespace }, watched ? 1 : 0);
      },
    });
    new Gauge({
      name: 'spark_operator_events_dropped',
      help: 'Kubernetes Events that could not be written since the start',
      registers: [registry],
      collect() { this.set(events()); },
    });
    new Gauge({
      name: 'spark_operator_queue_depth',
      help: 'Applications that wait to be looked at',
      registers: [registry],
      collect() { this.set(queue.depth); },
    });
  }

  /** Counts a change of state. `now` is in milliseconds since the epoch. */
  onTransition(before: SparkApplication, after: SparkApplication, now: number): void {
    const { namespace } = after.metadata;
    const [from, to] = [stateOf(before), stateOf(after)];
    if (from === ApplicationState.NEW) {
      this.applications.inc({ namespace });
      // A failed submission goes on to FAILED in the same step; what tells it is that nothing was executed.
      if (after.status?.executionAttempts) {
        this.submitted.inc({ namespace });
        const seconds = (now - Date.parse(after.metadata.creationTimestamp ?? '')) / 1000;
        if (seconds >= 0) this.submitLatency.observe({ namespace }, seconds);
      } else {
        this.refused.inc({ namespace });
      }
    }
    if (isTerminal(to) && !isTerminal(from)) (to === ApplicationState.COMPLETED ? this.succeeded : this.failed).inc({ namespace });
  }

  /** Counts a pass over an application. */
  onReconcile({ outcome, seconds }: { readonly outcome: string; readonly seconds: number }): void {
    this.reconcileSeconds.observe({ outcome }, seconds);
  }

  /** Counts how long an application waited in the queue. */
  onQueueWait(seconds: number): void {
    this.queueSeconds.observe(seconds);
  }

  /** Counts a call of the API. */
  onCall({ verb, resource, status }: CallStatistics): void {
    const key = `${verb} ${resource} ${status}`;
    const series = this.calls.get(key);
    if (series) {
      series.count++;
    } else {
      this.calls.set(key, { labels: { verb, resource, status: String(status) }, count: 1 });
    }
  }

  private counter(name: string, help: string): Counter<'namespace'> {
    return new Counter({ name, help, labelNames: ['namespace'], registers: [this.registry] });
  }
}
