import { Duration, Size } from 'cdk8s';
import { GpuSpec, NameKey, NamePath, PortProtocol, SecretType } from '../api/spark-pod';
import {
  Affinity, Container, EnvFromSource, EnvVar, HostAlias, Lifecycle, PodDnsConfig, PodSecurityContext, PodTemplateSpec, SecurityContext, Toleration, VolumeMount,
} from '../k8s';

/** A Secret and where it is mounted. */
export interface SecretMount {
  /** Name of the Secret. */
  readonly name: string;

  /** Folder in the container. */
  readonly path: string;

  /**
   * What it holds. Of some kinds Spark is told where they are.
   *
   * @default SecretType.GENERIC
   */
  readonly type?: SecretType;
}

/** A port of Spark's container. */
export interface SparkPort {
  /** Name of the port: at most 15 lower-case letters, digits and single dashes, one of them a letter. */
  readonly name: string;

  /** Number of the port, from 1 to 65535. */
  readonly port: number;

  /**
   * What is spoken there.
   *
   * @default PortProtocol.TCP
   */
  readonly protocol?: PortProtocol;
}

/** What the pods of driver and executors have in common. */
export interface SparkPodProps {
  /**
   * Cores that Spark counts on: the number of tasks that an executor runs at a time. Also the CPU request, unless `coreRequest` is set.
   *
   * @default - Spark's: 1 (`spark.driver.cores`, `spark.executor.cores`)
   */
  readonly cores?: number;

  /**
   * CPU request as a Kubernetes quantity, such as `500m` or `2`.
   *
   * @default - `cores`
   */
  readonly coreRequest?: string;

  /**
   * CPU limit as a Kubernetes quantity, such as `1200m`. Not less than the request.
   *
   * @default - no limit
   */
  readonly coreLimit?: string;

  /**
   * Heap of the JVM. At least 450 MiB, with less Spark does not start; in whole MiB. `SparkMemory.parse('4g')` reads what stands in Spark's properties.
   *
   * @default - Spark's: 1 GiB (`spark.driver.memory`, `spark.executor.memory`)
   */
  readonly memory?: Size;

  /**
   * Memory outside the heap, which is added to `memory` for the pod's request and limit; in whole MiB.
   *
   * @default - Spark's: `memory` times the overhead factor, at least 384 MiB (`spark.driver.memoryOverhead`, `spark.executor.memoryOverhead`)
   */
  readonly memoryOverhead?: Size;

  /**
   * GPUs of Spark's container.
   *
   * @default - none
   */
  readonly gpu?: GpuSpec;

  /**
   * Image in place of the application's.
   *
   * @default - the application's image
   */
  readonly image?: string;

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
   * Environment variables of Spark's container in Kubernetes' own shape, for values from fields of the pod, ConfigMaps and resources.
   *
   * @default - none
   */
  readonly extraEnv?: EnvVar[];

  /**
   * ConfigMaps and Secrets all of whose entries become environment variables of Spark's container.
   *
   * @default - none
   */
  readonly envFrom?: EnvFromSource[];

  /**
   * Secrets that are mounted into Spark's container as folders. See also `mountSecret` of the application.
   *
   * @default - none
   */
  readonly secrets?: SecretMount[];

  /**
   * ConfigMaps that are mounted into Spark's container as read-only folders. See also `mountConfigMap` of the application.
   *
   * @default - none
   */
  readonly configMaps?: NamePath[];

  /**
   * Where volumes appear in Spark's container: those of the application's `volumes` or of the template. See also `addVolume` and `useLocalDirs` of the application.
   *
   * @default - none
   */
  readonly volumeMounts?: VolumeMount[];

  /**
   * Labels of the pod besides Spark's and the operator's.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the pod.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Options of the JVM, such as `-XX:+UseG1GC`. No heap size (`-Xmx`), which Spark refuses: it is in `memory`.
   *
   * @default - none
   */
  readonly javaOptions?: string;

  /**
   * Labels that a node must have. Either here or for the whole application, not both.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Which nodes and which neighbours the pod wants or avoids.
   *
   * @default - the template's
   */
  readonly affinity?: Affinity;

  /**
   * Taints of nodes that the pod bears, besides the template's.
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
   * The scheduler of the pod. The application's `batchScheduler` wins.
   *
   * @default - the cluster's
   */
  readonly schedulerName?: string;

  /**
   * Security settings of the pod.
   *
   * @default - the template's
   */
  readonly podSecurityContext?: PodSecurityContext;

  /**
   * Security settings of Spark's container.
   *
   * @default - the template's
   */
  readonly securityContext?: SecurityContext;

  /**
   * Containers that run beside Spark's.
   *
   * @default - none
   */
  readonly sidecars?: Container[];

  /**
   * Containers that run to their end before Spark's starts.
   *
   * @default - none
   */
  readonly initContainers?: Container[];

  /**
   * Ports of Spark's container, besides Spark's own.
   *
   * @default - none
   */
  readonly ports?: SparkPort[];

  /**
   * What runs when Spark's container starts and before it ends.
   *
   * @default - nothing
   */
  readonly lifecycle?: Lifecycle;

  /**
   * How long the pod may take to end.
   *
   * @default - Kubernetes': 30 seconds
   */
  readonly terminationGracePeriod?: Duration;

  /**
   * Whether the pod uses its node's network. Its DNS policy becomes `ClusterFirstWithHostNet`.
   *
   * @default false
   */
  readonly hostNetwork?: boolean;

  /**
   * Entries of the pod's `/etc/hosts`, besides the template's.
   *
   * @default - none
   */
  readonly hostAliases?: HostAlias[];

  /**
   * DNS settings of the pod.
   *
   * @default - the template's
   */
  readonly dnsConfig?: PodDnsConfig;

  /**
   * Whether the containers of the pod see each other's processes.
   *
   * @default false
   */
  readonly shareProcessNamespace?: boolean;

  /**
   * A pod that the driver or executor starts from, for what has no prop of its own. Spark's container is the one named
   * `spark-kubernetes-driver` or `spark-kubernetes-executor`, else the first; Spark sets its name, image, CPU, memory and arguments.
   * The other props win over the template.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#pod-template
   * @default - an empty pod
   */
  readonly template?: PodTemplateSpec;
}

/** The driver's pod. */
export interface SparkDriverProps extends SparkPodProps {
  /**
   * Memory limit of the container in place of `memory` and `memoryOverhead`, and not less than both. (Executors have no such limit: Spark itself sets it.)
   *
   * @default - `memory` and `memoryOverhead`, which is also the request
   */
  readonly memoryLimit?: Size;

  /**
   * Name of the service account that the driver runs as. It must be allowed to manage executors. See also `runAs` of the application.
   *
   * @default - `spark`, which `SparkOperator` creates in each job namespace, unless the template names one
   */
  readonly serviceAccount?: string;

  /**
   * Name of the driver's Pod.
   *
   * @default - that of `spark.kubernetes.driver.pod.name` in `sparkConf`, else `<application>-driver`
   */
  readonly podName?: string;

  /**
   * URL of the API server as the driver reaches it.
   *
   * @default - `https://kubernetes.default.svc`
   */
  readonly kubernetesMaster?: string;

  /**
   * Annotations of the headless Service through which executors reach the driver.
   *
   * @default - none
   */
  readonly serviceAnnotations?: { [key: string]: string };

  /**
   * Labels of the headless Service through which executors reach the driver.
   *
   * @default - none
   */
  readonly serviceLabels?: { [key: string]: string };
}

/** The executors' pods. */
export interface SparkExecutorProps extends SparkPodProps {
  /**
   * Number of executors. With dynamic allocation the number at the start, if it is more than what that says; not more than its greatest number.
   *
   * @default - 1; with dynamic allocation what that says
   */
  readonly instances?: number;

  /**
   * Whether Spark deletes an executor's Pod when the executor ends. Keep them to read their logs afterwards.
   *
   * @default - Spark's: true (`spark.kubernetes.executor.deleteOnTermination`)
   */
  readonly deleteOnTermination?: boolean;

  /**
   * Name of the service account that executors run as.
   *
   * @default - the driver's
   */
  readonly serviceAccount?: string;
}
