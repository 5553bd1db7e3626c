import { isBeginning, type SparkApplication, type WholeApplication } from '../../../model/spark-application';
import { applicationKeyOf } from './observe';
import { SparkApplicationReconciler, type ReconcilerOptions } from './reconciler';
import { transform } from './transform';
import { CircuitBreaker } from './circuit-breaker';
import { LABEL_LAUNCHED_BY, LABEL_SCHEDULED_APP_NAME } from '../../../api/labels';
import { KindController, type RuntimeDependencies } from '../../runtime/kind-controller';
import { viewOf, type PodView } from '../../../model/pod-view';
import type { Store } from '../../../kube/store';
import { SharedStrings } from '../../../kube/shared-strings';
import { VIEWED_PODS, SPARK_APPLICATIONS } from '../../../model/resources';

/** Parts of the kind's controller. */
export interface SparkApplicationParts {
  readonly applications: Store<SparkApplication>;
  readonly pods: Store<PodView>;
  /** Whether schedules wait for their runs to be created. @default - there are none */
  readonly schedulesWait?: () => boolean;
  /** Returns the reconciler's dependencies, new for each term as leader. */
  readonly reconcilerOptions: () => Omit<ReconcilerOptions, 'client' | 'applications' | 'pods' | 'clock' | 'circuitBreaker'>;
}

/** Creates the controller of SparkApplications, which also watches the pods of all kinds. */
export function sparkApplications(parts: SparkApplicationParts, dependencies: RuntimeDependencies): KindController {
  const { applications, pods, schedulesWait = () => false, reconcilerOptions } = parts;
  const { client, clock, workers } = dependencies;
  // All terms as leader share it.
  const circuitBreaker = new CircuitBreaker(clock, workers);
  const strings = new SharedStrings();
  return new KindController({
    name: 'spark-application',
    watched: [
      {
        resource: SPARK_APPLICATIONS, store: applications, transform: (application: WholeApplication) => (
          transform(application, applications.get(application.metadata))
        ),
      },
      { resource: VIEWED_PODS, store: pods, transform: (pod) => viewOf(pod, strings), labelSelector: `${LABEL_LAUNCHED_BY}=true` },
    ],
    // The operator reports changes of drivers before it creates more drivers: many new applications
    // must not delay the status of others.
    isUrgent: (key) => hasBegun(applications.get(key)),
    startWork: () => {
      const reconciler = new SparkApplicationReconciler({ ...reconcilerOptions(), client, applications, pods, clock, circuitBreaker });
      return {
        reconcile: async (key, context) => {
          const pause = schedulesWait() ? pauseFor(applications.get(key), clock.now()) : 0;
          return pause > 0 ? { requeueAfter: pause } : reconciler.reconcile(key, context);
        },
        wakers: [(add) => pods.subscribe(({ object }) => {
          const key = applicationKeyOf(object);
          if (key) add(key);
        })],
      };
    },
  }, dependencies);
}

/** Whether the application has, or had, a driver. */
function hasBegun(application: SparkApplication | undefined): boolean {
  return application !== undefined && !isBeginning(application);
}

/**
 * Milliseconds that a run of a schedule waits at most for the creation of other runs, and the
 * interval of its requeues meanwhile.
 */
const [MAX_PAUSE, REQUEUE_AFTER] = [15_000, 1_000];

/**
 * Returns how long an application waits for schedules, in milliseconds. All schedules that are due
 * in the same minute create their runs before the operator submits the first, which takes a few
 * more calls. So all these runs begin on time. Applications without a schedule do not wait.
 */
function pauseFor(application: SparkApplication | undefined, now: number): number {
  if (!application || application.status?.submissionID !== undefined
    || application.metadata.labels?.[LABEL_SCHEDULED_APP_NAME] === undefined) {
    return 0;
  }
  const left = Date.parse(application.metadata.creationTimestamp ?? '') + MAX_PAUSE - now;
  return left > 0 ? Math.min(left, REQUEUE_AFTER) : 0;
}
