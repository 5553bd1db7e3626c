import type { SparkApplicationSpec } from '../../api/spark-application';
import type { SparkPodSpec } from '../../api/spark-pod';
import type { PodSpec } from '../../k8s';
import type { Steps } from '../problems';
import type { Role } from '../properties/role';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import type { Problem } from '../../model/problem';

/**
 * A pod or pod template, as in its JSON. In a user's template, any field can be missing or `null`.
 */
export interface PodTemplate {
  readonly metadata?: object | null;
  readonly spec?: PodSpec | null;
}

/** The parts of a pod that serve metrics. */
export interface PodMetrics {
  /**
   * ConfigMap that Spark's container needs for metrics. Default: none, the image contains
   * everything.
   */
  readonly configMapName?: string;
  /** Port of the metrics. Default: none. */
  readonly port?: { readonly name: string; readonly number: number };
}

/** Input of a pod's customization. */
export interface PodCustomization {
  /** Role of the pod. */
  readonly role: Role;
  /** The role's fields of the application. */
  readonly spec: SparkPodSpec;
  /** Fields of the application that affect its pods. */
  readonly application: Pick<SparkApplicationSpec,
    | 'volumes'
    | 'sparkConfigMap'
    | 'hadoopConfigMap'
    | 'batchScheduler'> & Partial<Pick<SparkApplicationSpec, 'mainApplicationFile' | 'nodeSelector'>>;
  /**
   * Name of Spark's container. In a pod without a container of this name, it is the first one, as
   * in Spark (KubernetesUtils.selectSparkContainer).
   */
  readonly container: string;
  /** Spark properties of the application, which also change its pods. */
  readonly properties: ReadonlySparkProperties;
  /**
   * - `pod`: the pod to create
   * - `template`: the template from which Spark builds the pod; Spark's own settings replace the
   *   template's
   */
  readonly target: 'pod' | 'template';
  /** The parts of the pod that serve metrics. Default: none. */
  readonly metrics?: PodMetrics;
  /** Runs the concerns and checks. Default: stops at the first problem. */
  readonly steps?: Steps;
}

/** Result of a concern for a pod. */
export interface Change {
  /** The same object if nothing changed. */
  readonly spec: PodSpec;
  /** Overridden fields and fields without effect. Default: none. */
  readonly warnings?: readonly Problem[];
}

/**
 * A concern of a pod's customization: a pure, idempotent function.
 *
 * @throws SubmissionError if the wanted content contradicts the existing one
 */
export type Concern = (spec: PodSpec, request: PodCustomization) => Change;

/** Returns the path of a field of `spec.driver` or `spec.executor`. */
export function fieldOf({ role }: Pick<PodCustomization, 'role'>, field: string): string {
  return `spec.${role}.${field}`;
}
