import { Duration } from 'cdk8s';
import { NameKey, NamePath, SecretType } from '../api/spark-pod';
import {
  Affinity, Container, EnvFromSource, EnvVar, HostAlias, Lifecycle, PodDnsConfig, PodSecurityContext, SecurityContext, Toleration,
  VolumeMount,
} from '../k8s';

/** A Secret and its mount path. */
export interface SecretMount {
  /** Name of the Secret. */
  readonly name: string;

  /** Folder in the container. */
  readonly path: string;

  /**
   * Content of the Secret. For some types, Spark gets the path of the file.
   *
   * @default SecretType.GENERIC
   */
  readonly type?: SecretType;
}

/** Settings that all pods with Spark have: those of workloads and of the history server. */
export interface CommonPodProps {
  /**
   * Environment variables of Spark's container.
   *
   * @default - none
   */
  readonly env?: { [name: string]: string };

  /**
   * Environment variables of Spark's container with values from Secrets.
   *
   * @default - none
   */
  readonly secretEnv?: { [name: string]: NameKey };

  /**
   * Environment variables of Spark's container in the shape of Kubernetes, for values from fields
   * of the pod, ConfigMaps and resources.
   *
   * @default - none
   */
  readonly extraEnv?: EnvVar[];

  /**
   * ConfigMaps and Secrets whose entries all become environment variables of Spark's container.
   *
   * @default - none
   */
  readonly envFrom?: EnvFromSource[];

  /**
   * Secrets that are mounted into Spark's container as folders. See also `mountSecret` of
   * workloads.
   *
   * @default - none
   */
  readonly secrets?: SecretMount[];

  /**
   * ConfigMaps that are mounted into Spark's container as read-only folders. See also
   * `mountConfigMap` of workloads.
   *
   * @default - none
   */
  readonly configMaps?: NamePath[];

  /**
   * Mounts of `volumes` in Spark's container. See also `addVolume` and `useLocalDirs` of workloads.
   *
   * @default - none
   */
  readonly volumeMounts?: VolumeMount[];

  /**
   * Node selector of the pod. In applications, set it for pods or for the whole application, but
   * not both.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Node and pod affinity of the pod.
   *
   * @default - none
   */
  readonly affinity?: Affinity;

  /**
   * Tolerations of the pod.
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Name of the PriorityClass of the pod.
   *
   * @default - the cluster's default
   */
  readonly priorityClassName?: string;

  /**
   * Scheduler of the pod. A `batchScheduler` of the application takes precedence.
   *
   * @default - the cluster's
   */
  readonly schedulerName?: string;

  /**
   * Security settings of the pod.
   *
   * @default - none
   */
  readonly podSecurityContext?: PodSecurityContext;

  /**
   * Security settings of Spark's container.
   *
   * @default - none
   */
  readonly securityContext?: SecurityContext;

  /**
   * Sidecar containers.
   *
   * @default - none
   */
  readonly sidecars?: Container[];

  /**
   * Init containers.
   *
   * @default - none
   */
  readonly initContainers?: Container[];

  /**
   * Lifecycle hooks of Spark's container.
   *
   * @default - none
   */
  readonly lifecycle?: Lifecycle;

  /**
   * Termination grace period of the pod.
   *
   * @default - Kubernetes': 30 seconds
   */
  readonly terminationGracePeriod?: Duration;

  /**
   * Entries of the pod's `/etc/hosts`.
   *
   * @default - none
   */
  readonly hostAliases?: HostAlias[];

  /**
   * DNS settings of the pod.
   *
   * @default - none
   */
  readonly dnsConfig?: PodDnsConfig;

  /**
   * Whether the containers of the pod share a process namespace.
   *
   * @default false
   */
  readonly shareProcessNamespace?: boolean;
}
