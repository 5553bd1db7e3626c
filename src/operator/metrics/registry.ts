import { collectDefaultMetrics, Registry } from 'prom-client';
import type { ApplicationState } from '../../api/states';
import type { CallStatistics, ReceivedBytes } from '../../kube/client-types';
import type { Outcome } from '../../kube/controller';
import type { StoreEvent } from '../../kube/store';
import type { SparkApplication } from '../../model/spark-application';
import type { AnsweredReview } from '../admission/server';
import { AdmissionMetrics } from './admission';
import { addApplicationFamilies } from './application-families';
import { Calls } from './calls';
import { ExecutorEnds } from './executor-ends';
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
 * What Prometheus reads; all of it is described in docs/metrics.md. What happens is counted when it happens, what there is is looked up when
 * Prometheus asks.
 */
export class Metrics {
  public readonly registry = new Registry();
  private readonly sets: LabelSets<Series>;
  private readonly executorEnds = new ExecutorEnds();
  private readonly calls = new Calls();
  private readonly pace = new Pace();
  private readonly admission = new AdmissionMetrics();

  /** @throws RangeError for a label that Prometheus keeps for itself */
  constructor(private readonly observed: Observed, settings: MetricsSettings = DEFAULT_SETTINGS) {
    const { registry } = this;
    this.sets = new LabelSets(labelNames(settings.labels), (labels) => new Series(labels, settings));
    const snapshots = new Snapshots(observed, this.sets);
    addApplicationFamilies(registry, settings, this.sets, () => snapshots.get());
    addOperatorFamilies(registry, observed, () => snapshots.get());
    this.pace.addTo(registry);
    this.calls.addTo(registry);
    this.admission.addTo(registry, observed.webhookCertificateEnd);
    collectDefaultMetrics({ register: registry });
  }

  /** Takes in what the cache of applications tells. `now` is in milliseconds since the epoch. */
  onApplication(event: StoreEvent<SparkApplication>, now: number): void {
    this.pace.onEvent(event, now, this.observed.worksOn());
  }

  /** Counts what a status that was written tells, and the states that were entered with it. `now` is in milliseconds since the epoch. */
  onTransition(before: SparkApplication, after: SparkApplication, passed: readonly ApplicationState[], now: number): void {
    const written = { before, after, passed };
    const series = this.sets.of(after);
    countTransitions(series, written, now);
    this.executorEnds.count(series, written);
    this.pace.onWritten(written, now);
  }

  /** Makes a controller known, so that its series are there from the start. */
  addController(name: string): void {
    this.pace.addController(name);
  }

  /** Counts a pass of a controller over an object. */
  onReconcile(controller: string, { outcome, seconds }: { readonly outcome: Outcome; readonly seconds: number }): void {
    this.pace.onReconcile(controller, outcome, seconds);
  }

  /** Counts how long an object waited in the queue of a controller. */
  onQueueWait(controller: string, seconds: number): void {
    this.pace.onQueueWait(controller, seconds);
  }

  /** Counts a call of the API. */
  onCall(call: CallStatistics): void {
    this.calls.count(call);
  }

  /** Counts a piece of an answer of the API. */
  onReceived(received: ReceivedBytes): void {
    this.calls.receive(received);
  }

  /** Counts what the admission webhook has answered. */
  onReview(review: AnsweredReview): void {
    this.admission.onAnswer(review);
  }
}
