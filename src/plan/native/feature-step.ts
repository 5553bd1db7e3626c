import type { DriverConf } from './driver-conf';
import type { ConfigMap, Container, NetworkPolicy, PersistentVolumeClaim, Pod, PodGroup, Service } from '../../model/kubernetes-objects';

/** The driver's container, whose name can still be missing. */
export type DriverContainer = Omit<Container, 'name'> & Partial<Pick<Container, 'name'>>;

/**
 * The pod during its construction. As in Spark (SparkPod), the driver's container is separate until
 * all steps are done.
 */
export interface SparkPod {
  /** The pod without the driver's container. */
  readonly pod: Pod;
  /** The driver's container. */
  readonly container: DriverContainer;
}

/** An object that a driver needs in addition to its Pod. */
export type SubmissionResource = Service | NetworkPolicy | PersistentVolumeClaim | ConfigMap | PodGroup;

/** Result of a step. */
export interface StepResult {
  /** The changed pod. Default: unchanged. */
  readonly pod?: SparkPod;
  /** Spark properties for the driver, which take precedence over the user's. Default: none. */
  readonly properties?: { readonly [key: string]: string };
  /** Further objects to create. Default: none. */
  readonly resources?: readonly SubmissionResource[];
}

/**
 * A step of the driver's construction: a pure function, named as in Spark
 * (KubernetesFeatureConfigStep).
 */
export type FeatureStep = (conf: DriverConf, pod: SparkPod) => StepResult;
