import { collectDefaultMetrics, Registry } from 'prom-client';
import type { ApplicationState } from '../../api/states';
import type { StoreEvent } from '../../kube/store';
import type { SparkApplication } from '../../model/spark-application';
import type { AnsweredReview } from '../admission/server';
import { countReviews } from './admission';
import { addApplicationFamilies } from './application-families';
import { countCalls, type CountedCalls } from './calls';
import { ControllerMetrics } from './controllers';
import { ExecutorEnds } from './executor-ends';
import { countFailedAttempts } from './failed-attempts';
import { labelNames, LabelSets } from './label-sets';
import { Series } from './series';
import { DEFAULT_SETTINGS, type MetricsSettings } from './settings';
import { Snapshots, type Observed } from './snapshot';
import { addOperatorFamilies } from './operator-families';
import { countTransitions } from './transitions';
import { Pace } from './pace';

export type { MetricsSettings } from './settings';
export type { Observed } from './snapshot';

/**
 * Metrics of the operator, described in docs/reference/metrics.md. Events are counted when they
 * happen, and states are read at each scrape.
 */
export class Metrics {
  public readonly registry = new Registry();
  private readonly sets: LabelSets<Series>;
  private readonly executorEnds = new ExecutorEnds();
  /** Options of clients whose calls are counted. */
  public readonly calls: CountedCalls;
  private readonly countFailedAttempts: ReturnType<typeof countFailedAttempts>;
  /** Counts an answer of the admission webhook. */
  public readonly onReview: (review: AnsweredReview) => void;
  public readonly controllers: ControllerMetrics;
  private readonly pace = new Pace(this.registry);

  /**
   * @throws RangeError for a label that is reserved by Prometheus
   */
  constructor(private readonly observed: Observed, settings: MetricsSettings = DEFAULT_SETTINGS) {
    const { registry } = this;
    this.sets = new LabelSets(labelNames(settings.labels), (labels) => new Series(labels, settings));
    const snapshots = new Snapshots(observed, this.sets);
    addApplicationFamilies(registry, settings, this.sets, () => snapshots.get());
    addOperatorFamilies(registry, observed, () => snapshots.get());
    this.controllers = new ControllerMetrics(registry, observed.controllers);
    this.calls = countCalls(registry, observed.apiServer);
    this.countFailedAttempts = countFailedAttempts(registry);
    this.onReview = countReviews(registry, observed.webhookCertificateEnd);
    collectDefaultMetrics({ register: registry });
  }

  /** Processes an event of the cache of applications. `now` is in milliseconds since the epoch. */
  onApplication(event: StoreEvent<SparkApplication>, now: number): void {
    this.pace.onEvent(event, now, this.observed.leading());
  }

  /**
   * Counts the changes of a written status, the states that it entered, and the attempts that
   * failed, by their error messages. `now` is in milliseconds since the epoch.
   */
  onTransition(
    before: SparkApplication, after: SparkApplication, passed: readonly ApplicationState[], now: number, failures: readonly string[] = [],
  ): void {
    const written = { before, after, passed };
    const series = this.sets.of(after);
    countTransitions(series, written, now);
    this.executorEnds.count(series, written);
    this.countFailedAttempts(after.metadata.namespace, failures);
    this.pace.onWritten(written, now);
  }
}
