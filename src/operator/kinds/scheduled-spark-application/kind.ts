import { isTerminal } from '../../../api/states';
import { KindController, type RuntimeDependencies } from '../../runtime/kind-controller';
import { hasEnded, type PodView } from '../../../model/pod-view';
import { keyOf } from '../../../kube/objects';
import { Store, type StoreEvent } from '../../../kube/store';
import { SCHEDULED_SPARK_APPLICATIONS } from '../../../model/resources';
import { stateOf, type SparkApplication } from '../../../model/spark-application';
import { onClockJump } from './clock-jumps';
import { scheduleKeyOfDriver } from './drivers';
import { scheduleKeyOf, type ScheduledSparkApplication, type WholeSchedule } from '../../../model/scheduled-spark-application';
import { ScheduledSparkApplicationReconciler, type ReconcilerOptions } from './reconciler';
import { transform } from './transform';

/** The parts of the kind. */
export interface ScheduledSparkApplicationParts {
  /** Has the index `BY_SCHEDULE`. */
  readonly applications: Store<SparkApplication>;
  /** Has the index `BY_SCHEDULE_KEY`. */
  readonly pods: Store<PodView>;
  /** The kind of the runs, which fills the two stores. */
  readonly runs: KindController;
  /** Returns the dependencies of the reconciler, anew for each term of leadership. */
  readonly reconcilerOptions: () => Omit<ReconcilerOptions, 'client' | 'schedules' | 'applications' | 'pods' | 'clock'>;
  readonly onListenerError: (error: Error) => void;
}

/**
 * The workers for schedules, as a multiple of those for applications. They mostly wait for the API
 * server. If many schedules are due in the same minute, the submission of started runs must not
 * delay the start of the others.
 */
const WORKERS_FACTOR = 3;

/** Returns the controller of ScheduledSparkApplications. */
export function scheduledSparkApplications(parts: ScheduledSparkApplicationParts, dependencies: RuntimeDependencies): KindController {
  const { applications, pods, runs, reconcilerOptions, onListenerError } = parts;
  const { client, clock } = dependencies;
  const schedules = new Store<ScheduledSparkApplication>({ onListenerError });
  const kind: KindController = new KindController({
    name: 'scheduled-spark-application',
    watched: [{
      resource: SCHEDULED_SPARK_APPLICATIONS, store: schedules,
      transform: (schedule: WholeSchedule) => transform(schedule, schedules.get(schedule.metadata)),
    }],
    after: [runs],
    startWork: (enqueue) => {
      const reconciler = new ScheduledSparkApplicationReconciler({
        ...reconcilerOptions(), client, schedules, applications, pods, clock, othersWait: () => kind.depth > 0,
      });
      return {
        reconcile: (key, context) => reconciler.reconcile(key, context),
        wakers: [
          (add) => applications.subscribe((event) => {
            const key = matters(event) ? scheduleKeyOf(event.object) : undefined;
            if (key && schedules.get(key)) add(key);
          }),
          (add) => pods.subscribe(({ type, object }) => {
            const key = type === 'deleted' || hasEnded(object) ? scheduleKeyOfDriver(object) : undefined;
            if (key && schedules.get(key)) add(key);
          }),
          () => onClockJump(clock, () => schedules.list().forEach(({ metadata }) => enqueue(keyOf(metadata)))),
        ],
      };
    },
  }, { ...dependencies, workers: dependencies.workers * WORKERS_FACTOR });
  return kind;
}

/**
 * Whether a change of a run matters to its schedule: the run has ended, is active again, or is
 * being deleted. All its other changes are frequent.
 */
function matters(event: StoreEvent<SparkApplication>): boolean {
  if (event.type !== 'updated') return event.type === 'deleted';
  const { object, old } = event;
  return isTerminal(stateOf(object)) !== isTerminal(stateOf(old)) || object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp;
}
