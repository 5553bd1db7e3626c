import type {
  Affinity, Container, EnvFromSource, EnvVar, HostAlias, Lifecycle, PodDnsConfig, PodSecurityContext, PodTemplateSpec, SecurityContext,
  Toleration, VolumeMount,
} from '../k8s';

/** Settings that the pods of driver and executors have in common. */
export interface SparkPodSpec {
  /**
   * Pod template of the driver or executor, for settings without a field of their own. Spark's
   * container is the one named `spark-kubernetes-driver` or `spark-kubernetes-executor`, else the
   * first. Spark sets its name, image, CPU, memory and arguments. The other fields take precedence
   * over the template.
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#pod-template
   * @default - an empty pod
   * @freeForm
   */
  readonly template?: PodTemplateSpec;
  /**
   * Cores of Spark (concurrent tasks of an executor), and the CPU request unless `coreRequest` is
   * set.
   * @default 1
   * @minimum 1
   */
  readonly cores?: number;
  /**
   * CPU request as a Kubernetes quantity, such as `500m`.
   * @default - `cores`
   * @quantity
   */
  readonly coreRequest?: string;
  /**
   * CPU limit as a Kubernetes quantity, such as `1200m`.
   * @default - no limit
   * @quantity
   */
  readonly coreLimit?: string;
  /**
   * Heap of the JVM as Spark writes sizes, such as `512m` or `4g`, or as Kubernetes does, such as
   * `4Gi`.
   * @default 1g
   * @validationFrom model/memory-size SIZE_RULES
   */
  readonly memory?: string;
  /**
   * Memory limit of the container, in place of heap and overhead, as a size of Spark or Kubernetes,
   * such as `6g` or `6Gi`. It must not be less than heap and overhead. For executors this needs the
   * operator's webhook, as Spark itself sets their limit.
   * @default - `memory` and `memoryOverhead`, which is also the request
   * @validation [{"rule": "self.matches('^ *[0-9]+([.][0-9]+)?([bB]|[kKmMgGtTpPE][bBi]?)? *$')", "message": "must be a size such as 6g or 6Gi"}]
   */
  readonly memoryLimit?: string;
  /**
   * Memory outside the heap, added to `memory` for the pod's request and limit, such as `512m` or
   * `512Mi`; without a unit in MiB.
   * @default - `memory` times the overhead factor, at least 384m
   * @validationFrom model/memory-size SIZE_RULES
   */
  readonly memoryOverhead?: string;
  /**
   * Fraction of `memory` to add for memory outside the heap, such as `0.2`, without
   * `memoryOverhead`.
   * @default - the application's factor
   * @validation [{"rule": "self.matches('^(0|[1-9][0-9]*)?([.][0-9]+)?$')", "message": "must be a number such as 0.1"}]
   */
  readonly memoryOverheadFactor?: string;
  /**
   * GPUs of Spark's container.
   * @default - none
   */
  readonly gpu?: GpuSpec;
  /**
   * Image, in place of the application's.
   * @default - the application's image
   */
  readonly image?: string;
  /**
   * ConfigMaps mounted into Spark's container as read-only folders. Each becomes the volume
   * `<name>-vol`.
   * @default - none
   */
  readonly configMaps?: NamePath[];
  /**
   * Secrets mounted into Spark's container as folders. Each becomes the volume `<name>-volume`.
   * @default - none
   */
  readonly secrets?: SecretInfo[];
  /**
   * Environment variables of Spark's container. They take precedence over `envVars` and
   * `envSecretKeyRefs`, and a later entry over an earlier one with the same name.
   * @default - none
   */
  readonly env?: EnvVar[];
  /**
   * Environment variables as a map. Deprecated: use `env`.
   * @default - none
   */
  readonly envVars?: { [key: string]: string };
  /**
   * ConfigMaps and Secrets whose entries all become environment variables of Spark's container.
   * @default - none
   */
  readonly envFrom?: EnvFromSource[];
  /**
   * Environment variables with values from Secrets. Deprecated: use `env`.
   * @default - none
   */
  readonly envSecretKeyRefs?: { [key: string]: NameKey };
  /**
   * Labels of the pod, in addition to Spark's and the operator's.
   * @default - none
   */
  readonly labels?: { [key: string]: string };
  /**
   * Annotations of the pod.
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
  /**
   * Mounts of the application's `volumes`, or of the template's, in Spark's container. Volumes
   * whose names start with `spark-local-dir-` hold Spark's temporary files.
   * @default - none
   * @maxItems 256
   */
  readonly volumeMounts?: VolumeMount[];
  /**
   * Affinity and anti-affinity of the pod to nodes and other pods.
   * @default - the template's
   */
  readonly affinity?: Affinity;
  /**
   * Tolerations of the pod for taints of nodes, in addition to the template's.
   * @default - none
   */
  readonly tolerations?: Toleration[];
  /**
   * Security settings of the pod.
   * @default - the template's
   */
  readonly podSecurityContext?: PodSecurityContext;
  /**
   * Security settings of Spark's container.
   * @default - the template's
   */
  readonly securityContext?: SecurityContext;
  /**
   * Scheduler of the pod. The application's `batchScheduler` takes precedence.
   * @default - the cluster's
   */
  readonly schedulerName?: string;
  /**
   * Containers that run next to Spark's.
   * @default - none
   * @maxItems 256
   */
  readonly sidecars?: Container[];
  /**
   * Containers that must finish before Spark's starts.
   * @default - none
   * @maxItems 256
   */
  readonly initContainers?: Container[];
  /**
   * Whether the pod uses its node's network. Its DNS policy is then `ClusterFirstWithHostNet`.
   * @default false
   */
  readonly hostNetwork?: boolean;
  /**
   * Labels that a node must have. Set them either here or for the whole application, not both.
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };
  /**
   * DNS settings of the pod.
   * @default - the template's
   */
  readonly dnsConfig?: PodDnsConfig;
  /**
   * Seconds that the pod can take to end. Kubernetes treats a negative number as 1.
   * @default - Kubernetes' 30
   * @format int64
   */
  readonly terminationGracePeriodSeconds?: number;
  /**
   * Service account of the pod. A driver's needs permission to manage executors, like the one that
   * `SparkOperator` creates in each job namespace (`spark`).
   * @default - the driver's for executors; the namespace's `default` for the driver
   */
  readonly serviceAccount?: string;
  /**
   * Entries of the pod's `/etc/hosts`, in addition to the template's.
   * @default - none
   */
  readonly hostAliases?: HostAlias[];
  /**
   * Whether the containers of the pod see each other's processes.
   * @default false
   */
  readonly shareProcessNamespace?: boolean;
  /**
   * Options of the JVM. Set the heap size in `memory`.
   * @default - none
   */
  readonly javaOptions?: string;
  /**
   * Hooks that run after Spark's container starts and before it ends.
   * @default - none
   */
  readonly lifecycle?: Lifecycle;
  /**
   * Ports of Spark's container, in addition to Spark's own.
   * @default - none
   * @maxItems 256
   */
  readonly ports?: Port[];
  /**
   * Name of the PriorityClass of the pod.
   * @default - the cluster's default
   */
  readonly priorityClassName?: string;
}

/** The driver's pod. */
export interface DriverSpec extends SparkPodSpec {
  /**
   * Name of the driver's Pod.
   *
   * @default - `<application>-driver`
   * @validation [{"rule": "self.size() <= 253 && self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')", "message": "must be a Pod name: lower-case letters, digits, '-' and '.'"}]
   */
  readonly podName?: string;
  /**
   * URL of the API server for the driver, or `local[*]` to run all tasks in the driver.
   * @default - `https://kubernetes.default.svc`
   */
  readonly kubernetesMaster?: string;
  /**
   * Annotations of the headless Service that executors use to connect to the driver.
   * @default - none
   */
  readonly serviceAnnotations?: { [key: string]: string };
  /**
   * Labels of the headless Service that executors use to connect to the driver.
   * @default - none
   */
  readonly serviceLabels?: { [key: string]: string };
}

/** The executors' pods. */
export interface ExecutorSpec extends SparkPodSpec {
  /**
   * Number of executors.
   * @default - 1; with dynamic allocation its initial number
   * @minimum 1
   */
  readonly instances?: number;
  /**
   * Whether Spark deletes an executor's Pod when the executor ends. With `false` its log stays
   * available.
   * @default true
   */
  readonly deleteOnTermination?: boolean;
}

/** GPUs. */
export interface GpuSpec {
  /** Name of the resource, such as `nvidia.com/gpu`. */
  readonly name: string;
  /**
   * Number of GPUs.
   * @minimum 0
   * @format int64
   */
  readonly quantity: number;
}

/** An object and its mount path. */
export interface NamePath {
  /**
   * Name of the object.
   * @minLength 1
   */
  readonly name: string;
  /**
   * Folder in the container.
   * @minLength 1
   */
  readonly path: string;
}

/** A Secret and one of its keys. */
export interface NameKey {
  /**
   * Name of the Secret.
   * @minLength 1
   */
  readonly name: string;
  /**
   * Key in the Secret.
   * @minLength 1
   */
  readonly key: string;
}

/** Types of a Secret's content. */
export enum SecretType {
  /**
   * Key of a Google service account in `key.json`; `GOOGLE_APPLICATION_CREDENTIALS` is set to its
   * path.
   */
  GCP_SERVICE_ACCOUNT = 'GCPServiceAccount',
  /** Hadoop delegation token in `hadoop.token`; `HADOOP_TOKEN_FILE_LOCATION` is set to its path. */
  HADOOP_DELEGATION_TOKEN = 'HadoopDelegationToken',
  /** Other content, which is only mounted. */
  GENERIC = 'Generic',
}

/** A Secret, its mount path and its type. */
export interface SecretInfo {
  /**
   * Name of the Secret.
   * @minLength 1
   */
  readonly name: string;
  /**
   * Folder in the container.
   * @minLength 1
   */
  readonly path: string;
  /**
   * Type of its content. An unknown value means `Generic`.
   * @openEnum
   */
  readonly secretType: SecretType;
}

/** Protocols of a port. */
export enum PortProtocol {
  /** TCP. */
  TCP = 'TCP',
  /** UDP. */
  UDP = 'UDP',
  /** SCTP. */
  SCTP = 'SCTP',
}

/** A port of a container. */
export interface Port {
  /**
   * Name of the port: at most 15 lower-case letters, digits and single dashes, one of them a
   * letter. Empty if it has none.
   * @maxLength 15
   * @validation [{"rule": "self.matches('^(([a-z0-9]-?)*[a-z](-?[a-z0-9])*)?$')", "message": "must be made of lower-case letters, digits and single '-' between them, with at least one letter"}]
   */
  readonly name: string;
  /**
   * Protocol of the port. Empty means TCP.
   * @emptyIsUnset
   */
  readonly protocol: PortProtocol;
  /**
   * Number of the port.
   * @minimum 1
   * @maximum 65535
   */
  readonly containerPort: number;
}
