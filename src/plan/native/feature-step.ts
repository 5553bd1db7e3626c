import type { DriverConf } from './driver-conf';
import type { ConfigMap, Container, NetworkPolicy, PersistentVolumeClaim, Pod, PodGroup, Service } from '../../model/kubernetes-objects';

/** The driver's container, as long as it may have no name. */
export type DriverContainer = Omit<Container, 'name'> & Partial<Pick<Container, 'name'>>;

/** The pod that is being built. The driver's container is apart until all steps are done, as in Spark (SparkPod). */
export interface SparkPod {
  /** The pod without the driver's container. */
  readonly pod: Pod;
  /** The driver's container. */
  readonly container: DriverContainer;
}

/** What a driver needs besides its Pod. */
export type SubmissionResource = Service | NetworkPolicy | PersistentVolumeClaim | ConfigMap | PodGroup;

/** What a step adds. */
export interface StepResult {
  /** The pod with the step's changes. Default: unchanged. */
  readonly pod?: SparkPod;
  /** Spark properties that the driver is to see. They win over the user's. Default: none. */
  readonly properties?: { readonly [key: string]: string };
  /** Objects to create besides the pod. Default: none. */
  readonly resources?: readonly SubmissionResource[];
}

/** One concern of the driver: a pure function, named as in Spark (KubernetesFeatureConfigStep). */
export type FeatureStep = (conf: DriverConf, pod: SparkPod) => StepResult;
