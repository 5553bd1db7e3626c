import { isBeginning, type SparkApplication, type WholeApplication } from '../../model/spark-application';
import { applicationKeyOf } from './observe';
import { SparkApplicationReconciler, type ReconcilerOptions } from './reconciler';
import { transform } from './transform';
import { CircuitBreaker } from './webhook-gate';
import { LABEL_LAUNCHED_BY, LABEL_SCHEDULED_APP_NAME } from '../../api/labels';
import { KindController, type RuntimeDependencies } from '../runtime/kind-controller';
import { viewOf, type PodView } from '../../model/pod-view';
import type { Store } from '../../kube/store';
import { SharedStrings } from '../../kube/shared-strings';
import { VIEWED_PODS, SPARK_APPLICATIONS } from '../../model/resources';

/** What the kind is made of. */
export interface SparkApplicationParts {
  readonly applications: Store<SparkApplication>;
  readonly pods: Store<PodView>;
  /** Whether schedules wait for their runs to be created. @default - there are none */
  readonly schedulesWait?: () => boolean;
  /** What the reconciler of a term works with, anew for each. */
  readonly reconcilerOptions: () => Omit<ReconcilerOptions, 'client' | 'applications' | 'pods' | 'clock' | 'circuitBreaker'>;
}

/** SparkApplications, and the pods of all kinds. */
export function sparkApplications(parts: SparkApplicationParts, dependencies: RuntimeDependencies): KindController {
  const { applications, pods, schedulesWait = () => false, reconcilerOptions } = parts;
  const { client, clock, workers } = dependencies;
  // For all terms together.
  const circuitBreaker = new CircuitBreaker(clock, workers);
  const strings = new SharedStrings();
  return new KindController({
    name: 'spark-application',
    watched: [
      { resource: SPARK_APPLICATIONS, store: applications, transform: (application: WholeApplication) => transform(application, applications.get(application.metadata)) },
      { resource: VIEWED_PODS, store: pods, transform: (pod) => viewOf(pod, strings), labelSelector: `${LABEL_LAUNCHED_BY}=true` },
    ],
    // What happens to drivers is told before more of them are made: many new applications must not hold up the others' status.
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

/** Whether there is a driver, or was one. */
function hasBegun(application: SparkApplication | undefined): boolean {
  return application !== undefined && !isBeginning(application);
}

/** For how long after its creation a run of a schedule waits for others to be created, and when it is looked at again meanwhile; in milliseconds. */
const [MAX_PAUSE, LOOK_AGAIN] = [15_000, 1_000];

/**
 * Of schedules that are due at the same minute, all have their runs before the first is submitted, which takes some calls more: that all begin in time is what they are for. Others'
 * applications do not wait for that.
 */
function pauseFor(application: SparkApplication | undefined, now: number): number {
  if (!application || application.status?.submissionID !== undefined || application.metadata.labels?.[LABEL_SCHEDULED_APP_NAME] === undefined) return 0;
  const left = Date.parse(application.metadata.creationTimestamp ?? '') + MAX_PAUSE - now;
  return left > 0 ? Math.min(left, LOOK_AGAIN) : 0;
}
