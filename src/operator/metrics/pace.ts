import type { Registry } from 'prom-client';
import { ApplicationState } from '../../api/states';
import type { Outcome } from '../../kube/controller';
import type { StoreEvent } from '../../kube/store';
import { stateOf, type SparkApplication } from '../../model/spark-application';
import { Distribution } from './distribution';
import { addFamily, type Labels } from './family';
import { isUntouched, type Written } from './transitions';

const OUTCOMES: readonly Outcome[] = ['success', 'conflict', 'transient', 'error', 'aborted'];
const RECONCILE = 'spark_operator_reconcile_duration_seconds';
const QUEUE_WAIT = 'spark_operator_queue_wait_seconds';
const SUBMISSION = 'spark_operator_submission_duration_seconds';

/** Durations of one controller. */
interface ControllerPace {
  readonly passes: readonly { readonly labels: Labels; readonly seconds: Distribution }[];
  readonly waits: Distribution;
}

/** Metrics of the operator's latency. */
export class Pace {
  private readonly controllers = new Map<string, ControllerPace>();
  private readonly submissions = new Distribution([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]);
  /**
   * Times at which new applications were observed, by uid: creation timestamps only have whole
   * seconds.
   */
  private readonly seen = new Map<string, number>();

  /** Adds the metrics to a registry. */
  addTo(registry: Registry): void {
    addFamily(registry, {
      name: SUBMISSION, type: 'histogram',
      help: 'Seconds from the moment the operator saw a new application to the creation of its driver',
    },
    () => this.submissions.histogram(SUBMISSION));
    addFamily(registry, {
      name: RECONCILE, type: 'histogram', help: 'Seconds that a reconcile of an object took', labelNames: ['controller', 'outcome'],
    },
    () => [
      ...this.controllers.values(),
    ].flatMap(({ passes }) => passes.flatMap(({ labels, seconds }) => seconds.histogram(RECONCILE, labels))));
    addFamily(registry, {
      name: QUEUE_WAIT, type: 'histogram', help: 'Seconds that an object waited for a reconcile after a change',
      labelNames: ['controller'],
    },
    () => [...this.controllers].flatMap(([controller, { waits }]) => waits.histogram(QUEUE_WAIT, { controller })));
  }

  /** Adds a controller. */
  addController(name: string): void {
    this.controllers.set(name, {
      passes: OUTCOMES.map((outcome) => ({
        labels: { controller: name, outcome }, seconds: new Distribution([0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]),
      })),
      waits: new Distribution([0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]),
    });
  }

  /** Records a reconcile of an object. */
  onReconcile(controller: string, outcome: Outcome, seconds: number): void {
    this.controllers.get(controller)?.passes.find(({ labels }) => labels.outcome === outcome)?.seconds.observe(seconds);
  }

  /** Records the wait of an object in the queue of a controller. */
  onQueueWait(controller: string, seconds: number): void {
    this.controllers.get(controller)?.waits.observe(seconds);
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
    if (stateOf(before) === ApplicationState.NEW && passed[0] === ApplicationState.SUBMITTED) this.submissions.observe((now - seen) / 1000);
  }
}
