import type { Registry } from 'prom-client';
import { ApplicationState } from '../../api/states';
import type { Outcome } from '../../kube/controller';
import type { StoreEvent } from '../../kube/store';
import { stateOf, type SparkApplication } from '../../model/spark-application';
import { histogram, type Histogram } from './counted';
import { isUntouched, type Written } from './transitions';

const OUTCOMES: readonly Outcome[] = ['success', 'conflict', 'transient', 'error', 'aborted'];

/** Metrics of the operator's latency. */
export class Pace {
  private readonly submissions: Histogram;
  private readonly reconciles: Histogram;
  private readonly waits: Histogram;
  /**
   * Times at which new applications were observed, by uid: creation timestamps only have whole
   * seconds.
   */
  private readonly seen = new Map<string, number>();

  /** Adds the metrics to a registry. */
  constructor(registry: Registry) {
    this.submissions = histogram(registry, [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300], {
      name: 'spark_operator_submission_duration_seconds',
      help: 'Seconds from the moment the operator saw a new application to the creation of its driver',
    });
    this.reconciles = histogram(registry, [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5], {
      name: 'spark_operator_reconcile_duration_seconds',
      help: 'Seconds that a reconcile of an object took',
      labelNames: ['controller', 'outcome'],
      initial: OUTCOMES.map((outcome) => ({ outcome })),
    });
    this.waits = histogram(registry, [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30], {
      name: 'spark_operator_queue_wait_seconds',
      help: 'Seconds that an object waited for a reconcile after a change',
      labelNames: ['controller'],
    });
  }

  /** Adds a controller, so that its series exist from the start. */
  addController(controller: string): void {
    this.reconciles.create({ controller, outcome: 'success' });
    this.waits.create({ controller });
  }

  /** Records a reconcile of an object. */
  onReconcile(controller: string, { outcome, seconds }: { readonly outcome: Outcome; readonly seconds: number }): void {
    this.reconciles.observe({ controller, outcome }, seconds);
  }

  /** Records the wait of an object in the queue of a controller. */
  onQueueWait(controller: string, seconds: number): void {
    this.waits.observe({ controller }, seconds);
  }

  /**
   * Processes an event of the watch. `now` is in milliseconds.
   *
   * @param isOurs whether this process handles the application; other processes count the ones that
   * they started
   */
  onEvent({ type, object }: StoreEvent<SparkApplication>, now: number, isOurs: boolean): void {
    if (type === 'added' && isUntouched(object)) this.seen.set(object.metadata.uid, now);
    else if (type === 'deleted' || (!isOurs && !isUntouched(object))) this.seen.delete(object.metadata.uid);
  }

  /** Processes a written status. */
  onWritten({ before, after, passed }: Written, now: number): void {
    const { uid } = after.metadata;
    const seen = this.seen.get(uid);
    if (seen === undefined || passed.length === 0) return;
    this.seen.delete(uid);
    if (stateOf(before) === ApplicationState.NEW && passed[0] === ApplicationState.SUBMITTED) {
      this.submissions.observe({}, (now - seen) / 1000);
    }
  }
}
