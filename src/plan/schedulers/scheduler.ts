import type { BatchSchedulerConfiguration } from '../../api/spark-application';
import type { Resource } from '../../kube/resource';
import type { PodGroup, PodSpec, StringMap } from '../../model/kubernetes-objects';
import type { Role } from '../properties/role';
import type { Problem } from '../../model/problem';

/**
 * A batch scheduler, which schedules an application as a gang: labels and annotations of its pods,
 * and objects to create before them. To add one, write a file that exports it, a line in
 * `registry.ts`, and a line with its name and PodGroups in `src/api/batch-schedulers.ts`, which the
 * constructs read.
 */
export interface BatchScheduler {
  /** Name in `batchScheduler`, and in `schedulerName` of pods. */
  readonly name: string;
  /** Supported fields of `batchSchedulerOptions`. */
  readonly options: readonly (keyof BatchSchedulerConfiguration)[];
  /** Kind of its PodGroups. Default: none. */
  readonly resource?: Resource<PodGroup>;
  /** Returns the name of an application's group, which is also that of kubeflow/spark-operator. */
  readonly groupName?: (application: string) => string;

  /**
   * Returns the plan for an application. Pure.
   *
   * @throws SubmissionError if the scheduler or Kubernetes would reject an option
   */
  plan(request: SchedulingRequest): SchedulingPlan;
}

/** Parts of an application that schedulers need. */
export interface SchedulingRequest {
  /** Name of the application, of at most 63 characters. */
  readonly application: string;
  /** Spark's application ID of this attempt. */
  readonly applicationId: string;
  readonly options: BatchSchedulerConfiguration;
  /** Its initial pods; undefined if only the driver knows their amounts, as with `${env:A}`. */
  readonly gang: Gang | undefined;
  /** Returns a label or annotation that the user has set on the pods of a role. */
  readonly own: (role: Role, where: keyof Marks, name: string) => string | undefined;
}

/** Initial pods of an application. */
export interface Gang {
  readonly driver: GangPod;
  readonly executor: GangPod;
  /** Number of executors. */
  readonly executors: number;
}

/** A pod with Spark's amounts and its placement. */
export interface GangPod {
  readonly spec: PodSpec;
  /** Labels that the user has set. */
  readonly labels: StringMap;
}

/** Labels and annotations of the pods of a role. */
export interface Marks {
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}

/** Plan for an application. */
export interface SchedulingPlan {
  readonly driver: Marks;
  readonly executor: Marks;
  /** PodGroup to create before the driver, without its owner and labels. Default: none. */
  readonly group?: PodGroup;
  /** Fields without the effect that users expect. Default: none. */
  readonly warnings?: readonly Problem[];
}
