import { Size } from 'cdk8s';
import { ImagePullPolicy } from '../api/spark-application';
import {
  Affinity, Container, EnvFromSource, EnvVar, PodSecurityContext, SecurityContext, Toleration, TopologySpreadConstraint,
  Volume, VolumeMount,
} from '../k8s';

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

/** PodDisruptionBudget of the operator's replicas. */
export interface OperatorDisruptionBudget {
  /**
   * Whether it is created.
   *
   * @default - true with several replicas
   */
  readonly enabled?: boolean;

  /**
   * Minimum number of replicas that stay available during a node drain; less than their number.
   *
   * @default - all but one
   */
  readonly minAvailable?: number;
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
   * ConfigMaps and Secrets whose entries all become variables of the operator's container.
   *
   * @default - none
   */
  readonly envFrom?: EnvFromSource[];

  /**
   * Volumes of the pods. Those that no container mounts are left out.
   *
   * @default - none
   */
  readonly volumes?: Volume[];

  /**
   * Mounts of `volumes` in the operator's container.
   *
   * @default - none
   */
  readonly volumeMounts?: VolumeMount[];

  /**
   * Whether Kubernetes mounts the token of the service account. Without it, the program needs a
   * projected volume with a token at `/var/run/secrets/kubernetes.io/serviceaccount`.
   *
   * @default true
   */
  readonly automountServiceAccountToken?: boolean;

  /**
   * Sidecar containers. In a namespace that the construct creates, they must meet the restricted
   * Pod Security Standard.
   *
   * @default - none
   */
  readonly sidecars?: Container[];

  /**
   * Security settings of the pods, in addition to the defaults.
   *
   * @default - not root, with the seccomp profile RuntimeDefault
   */
  readonly podSecurityContext?: PodSecurityContext;

  /**
   * Security settings of the operator's container, in addition to the defaults.
   *
   * @default - not root, a read-only root file system, and neither capabilities nor privilege
   * escalation
   */
  readonly securityContext?: SecurityContext;

  /**
   * Whether the pods use the user namespace of the node. False needs nodes that support user
   * namespaces.
   *
   * @default - Kubernetes': true
   */
  readonly hostUsers?: boolean;

  /**
   * Annotations of the Deployment.
   *
   * @default - none
   */
  readonly deploymentAnnotations?: { [key: string]: string };

  /**
   * Number of previous ReplicaSets to keep for a rollback.
   *
   * @default - Kubernetes': 10
   */
  readonly revisionHistoryLimit?: number;

  /**
   * PodDisruptionBudget of the replicas.
   *
   * @default - with several replicas, node drains evict one of them at a time
   */
  readonly disruptionBudget?: OperatorDisruptionBudget;
}
