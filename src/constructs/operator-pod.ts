import { Size } from 'cdk8s';
import { ImagePullPolicy } from '../api/spark-application';
import { Affinity, EnvVar, Toleration, TopologySpreadConstraint } from '../k8s';

/** CPU and memory of the operator. Unset values keep their default. */
export interface OperatorResources {
  /**
   * CPU request, in cores, such as 0.25, or 0 for none.
   *
   * @default 0.1
   */
  readonly cpuRequest?: number;

  /**
   * CPU limit, in cores.
   *
   * @default - no limit, so that the operator can process bursts of applications quickly
   */
  readonly cpuLimit?: number;

  /**
   * Memory request.
   *
   * @default - 128 MiB
   */
  readonly memoryRequest?: Size;

  /**
   * Memory limit.
   *
   * @default - 512 MiB
   */
  readonly memoryLimit?: Size;
}

/** Pods of the operator. */
export interface OperatorPodProps {
  /**
   * Image of the operator.
   *
   * @default - `ghcr.io/cdk8s-spark-operator/spark-operator` with the version of this package as
   * its tag
   */
  readonly image?: string;

  /**
   * Pull policy of the operator's image.
   *
   * @default ImagePullPolicy.IF_NOT_PRESENT
   */
  readonly imagePullPolicy?: ImagePullPolicy;

  /**
   * Names of Secrets in the operator's namespace with the credentials of private registries.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * CPU and memory of each replica.
   *
   * @default - requests of 0.1 CPU and 128 MiB, a limit of 512 MiB
   */
  readonly resources?: OperatorResources;

  /**
   * Name of the PriorityClass of the pods.
   *
   * @default - the cluster's default
   */
  readonly priorityClassName?: string;

  /**
   * Node selector of the pods.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Tolerations of the pods.
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Node and pod affinity of the pods.
   *
   * @default - none
   */
  readonly affinity?: Affinity;

  /**
   * Topology spread constraints of the replicas.
   *
   * @default - several replicas are spread over nodes and zones, if possible
   */
  readonly topologySpreadConstraints?: TopologySpreadConstraint[];

  /**
   * Further labels of the pods.
   *
   * @default - none
   */
  readonly podLabels?: { [key: string]: string };

  /**
   * Annotations of the pods.
   *
   * @default - none
   */
  readonly podAnnotations?: { [key: string]: string };

  /**
   * Further variables of the operator's container.
   *
   * @default - none
   */
  readonly env?: EnvVar[];

  /**
   * Name of the operator's service account, which is created.
   *
   * @default spark-operator
   */
  readonly serviceAccountName?: string;

  /**
   * Annotations of the operator's service account, for example for an identity in the cloud
   * (`eks.amazonaws.com/role-arn`).
   *
   * @default - none
   */
  readonly serviceAccountAnnotations?: { [key: string]: string };
}
