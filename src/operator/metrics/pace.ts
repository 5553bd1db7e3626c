import type { Registry } from 'prom-client';
import { ApplicationState } from '../../api/states';
import type { StoreEvent } from '../../kube/store';
import { stateOf, type SparkApplication } from '../../model/spark-application';
import { histogram, type Histogram } from './counted';
import { isUntouched, type Written } from './transitions';

/** Metrics of the time from an application to its driver. */
export class Pace {
  private readonly submissions: Histogram;
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
