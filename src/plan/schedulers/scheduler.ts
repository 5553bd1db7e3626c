import type { BatchSchedulerConfiguration } from '../../api/spark-application';
import type { Resource } from '../../kube/resource';
import type { PodGroup, PodSpec, StringMap } from '../../model/kubernetes-objects';
import type { Role } from '../properties/role';
import type { Problem } from '../../model/problem';

/**
 * A scheduler of pods that takes an application as a whole: what its pods have to say for it, and what has to be there before them. One that is added is a file that makes one of these, a line in
 * `registry.ts`, and a line with its name and its groups of pods in `src/api/batch-schedulers.ts`, from which the constructs know it.
 */
export interface BatchScheduler {
  /** What users write in `batchScheduler`, and pods in `schedulerName`. */
  readonly name: string;
  /** What it reads of `batchSchedulerOptions`. */
  readonly options: readonly (keyof BatchSchedulerConfiguration)[];
  /** The kind of what is made for it. Default: nothing is. */
  readonly resource?: Resource<PodGroup>;
  /** What the group of an application is called; as kubeflow/spark-operator calls it, whose groups are found by it. */
  readonly groupName?: (application: string) => string;

  /**
   * What an application comes to. Pure.
   *
   * @throws SubmissionError if the scheduler, or Kubernetes, would refuse what follows from the options
   */
  plan(request: SchedulingRequest): SchedulingPlan;
}

/** An application, as far as schedulers look at it. */
export interface SchedulingRequest {
  /** Name of the application, of at most 63 characters. */
  readonly application: string;
  /** The id that Spark has for this attempt. */
  readonly applicationId: string;
  readonly options: BatchSchedulerConfiguration;
  /** Its pods when it begins; undefined if their amounts are known only in the driver, as with `${env:A}`. */
  readonly gang: Gang | undefined;
  /** A label or annotation that the user has put onto the pods of a role. */
  readonly own: (role: Role, where: keyof Marks, name: string) => string | undefined;
}

/** The pods of an application when it begins. */
export interface Gang {
  readonly driver: GangPod;
  readonly executor: GangPod;
  /** How many executors there are. */
  readonly executors: number;
}

/** A pod, with the amounts that Spark gives its container, and where it may run. */
export interface GangPod {
  readonly spec: PodSpec;
  /** The labels that the user has given it. */
  readonly labels: StringMap;
}

/** What the pods of a role say. */
export interface Marks {
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}

/** What an application comes to. */
export interface SchedulingPlan {
  readonly driver: Marks;
  readonly executor: Marks;
  /** What has to be there before the driver, without what makes it the application's. Default: nothing. */
  readonly group?: PodGroup;
  /** What of the user's has less effect than it seems to have. Default: nothing. */
  readonly warnings?: readonly Problem[];
}

/** The operator's configuration, as far as batch schedulers go. */
export interface BatchSchedulerSettings {
  /** Names under which Kubernetes' own scheduler runs with the coscheduling plugin (`--kube-scheduler-names`). */
  readonly kubeSchedulers: readonly string[];
  /** The scheduler of applications that choose none (`--default-batch-scheduler`). */
  readonly default?: string;
}
