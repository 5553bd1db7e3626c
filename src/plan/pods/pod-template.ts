import type { SparkApplicationSpec } from '../../api/spark-application';
import type { SparkPodSpec } from '../../api/spark-pod';
import type { PodSpec } from '../../k8s';
import type { Steps } from '../problems';
import type { Role } from '../properties/role';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import type { Problem } from '../../model/problem';

/** A pod, or what a pod is made from, as in its JSON. In a template that a user wrote anything can be missing, or `null`. */
export interface PodTemplate {
  readonly metadata?: object | null;
  readonly spec?: PodSpec | null;
}

/** What serves a pod's metrics. */
export interface PodMetrics {
  /** The ConfigMap that Spark's container needs for it. Default: none, the image has it all. */
  readonly configMapName?: string;
  /** The port on which metrics are served. Default: the pod serves none. */
  readonly port?: { readonly name: string; readonly number: number };
}

/** What is put onto a pod, and what is known about it. */
export interface PodCustomization {
  /** Whose pod. */
  readonly role: Role;
  /** The fields that describe it. */
  readonly spec: SparkPodSpec;
  /** The fields of the application that concern its pods. */
  readonly application: Pick<SparkApplicationSpec, 'volumes' | 'sparkConfigMap' | 'hadoopConfigMap' | 'batchScheduler'> & Partial<Pick<SparkApplicationSpec, 'mainApplicationFile'>>;
  /** Name of Spark's container. A pod that has no such container has it as its first one, as in Spark (KubernetesUtils.selectSparkContainer). */
  readonly container: string;
  /** The Spark properties of the application, which also change its pods. */
  readonly properties: ReadonlySparkProperties;
  /**
   * `pod`: the pod as it is going to be created. `template`: what Spark builds the pod from; what Spark sets itself comes later and wins.
   */
  readonly target: 'pod' | 'template';
  /** What serves the pod's metrics. Default: nothing. */
  readonly metrics?: PodMetrics;
  /** Runs the concerns and checks. Default: stops at the first problem. */
  readonly steps?: Steps;
}

/** What a concern makes of a pod. */
export interface Change {
  /** The same object if there was nothing to do. */
  readonly spec: PodSpec;
  /** What was overridden, or has no effect. Default: nothing. */
  readonly warnings?: readonly Problem[];
}

/**
 * One concern of a pod: a pure function. Applied to its own result, it changes nothing.
 *
 * @throws SubmissionError if what is wanted contradicts what is there
 */
export type Concern = (spec: PodSpec, request: PodCustomization) => Change;

/** Where a field of `spec.driver` or `spec.executor` is written. */
export function fieldOf({ role }: Pick<PodCustomization, 'role'>, field: string): string {
  return `spec.${role}.${field}`;
}
