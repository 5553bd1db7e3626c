import { Size } from 'cdk8s';
import { CommonPodProps } from './common-pod-props';
import { GpuSpec, PortProtocol } from '../api/spark-pod';
import { PodTemplateSpec } from '../k8s';

/** A port of Spark's container. */
export interface SparkPort {
  /**
   * Name of the port: at most 15 lower-case letters, digits and single dashes, one of them a
   * letter.
   */
  readonly name: string;

  /** Number of the port, from 1 to 65535. */
  readonly port: number;

  /**
   * Protocol of the port.
   *
   * @default PortProtocol.TCP
   */
  readonly protocol?: PortProtocol;
}

/** Common settings of the pods of driver and executors. */
export interface SparkPodProps extends CommonPodProps {
  /**
   * Cores for Spark: the number of concurrent tasks of an executor. Also the CPU request, unless
   * `coreRequest` is set.
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
   * CPU limit as a Kubernetes quantity, such as `1200m`. At least the request.
   *
   * @default - no limit
   */
  readonly coreLimit?: string;

  /**
   * Heap of the JVM, in whole MiB. At least 450 MiB: Spark does not start with less.
   * `SparkMemory.parse('4g')` parses Spark's notation.
   *
   * @default - Spark's: 1 GiB (`spark.driver.memory`, `spark.executor.memory`)
   */
  readonly memory?: Size;

  /**
   * Memory outside the heap, which is added to `memory` for the pod's request and limit; in whole
   * MiB.
   *
   * @default - Spark's: `memory` times the overhead factor, at least 384 MiB
   * (`spark.driver.memoryOverhead`, `spark.executor.memoryOverhead`)
   */
  readonly memoryOverhead?: Size;

  /**
   * Memory outside the heap, as a fraction of `memory`, such as `0.2`. `memoryOverhead` takes
   * precedence.
   *
   * @default - the application's `memoryOverheadFactor`
   * (`spark.driver.memoryOverheadFactor`, `spark.executor.memoryOverheadFactor`)
   */
  readonly memoryOverheadFactor?: number;

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
   * Labels of the pod in addition to Spark's and the operator's.
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
   * Options of the JVM, such as `-XX:+UseG1GC`. Spark rejects the heap size (`-Xmx`): use `memory`.
   *
   * @default - none
   */
  readonly javaOptions?: string;

  /**
   * Ports of Spark's container, in addition to Spark's own.
   *
   * @default - none
   */
  readonly ports?: SparkPort[];

  /**
   * Whether the pod uses its node's network. Its DNS policy becomes `ClusterFirstWithHostNet`.
   *
   * @default false
   */
  readonly hostNetwork?: boolean;

  /**
   * Template of the pod, for settings without their own prop. Spark's container is the one named
   * `spark-kubernetes-driver` or `spark-kubernetes-executor`, else the first; Spark sets its name,
   * image, CPU, memory and arguments. The other props take precedence over the template.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#pod-template
   * @default - an empty pod
   */
  readonly template?: PodTemplateSpec;
}

/** Pod of the driver. */
export interface SparkDriverProps extends SparkPodProps {
  /**
   * Memory limit of the container, in place of the sum of `memory` and `memoryOverhead`, and at
   * least that sum. (Executors have no such prop, because Spark itself sets their limit.)
   *
   * @default - `memory` and `memoryOverhead`, which is also the request
   */
  readonly memoryLimit?: Size;

  /**
   * Name of the driver's service account. It must be allowed to manage executors. See also `runAs`
   * of the application.
   *
   * @default - `spark`, which `SparkOperator` creates in each job namespace, unless the template
   * sets one
   */
  readonly serviceAccount?: string;

  /**
   * Name of the driver's Pod.
   *
   * @default - that of `spark.kubernetes.driver.pod.name` in `sparkConf`, else
   * `<application>-driver`
   */
  readonly podName?: string;

  /**
   * URL of the API server for the driver, or `local[*]` to run all tasks in the driver.
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

/** Pods of the executors. */
export interface SparkExecutorProps extends SparkPodProps {
  /**
   * Number of executors. With dynamic allocation, the initial number if it is larger than that of
   * `dynamicAllocation`; at most its maximum.
   *
   * @default - 1; with dynamic allocation its initial number
   */
  readonly instances?: number;

  /**
   * Whether Spark deletes an executor's Pod when the executor ends. Set it to false to read their
   * logs afterwards.
   *
   * @default - Spark's: true (`spark.kubernetes.executor.deleteOnTermination`)
   */
  readonly deleteOnTermination?: boolean;

  /**
   * Name of the executors' service account.
   *
   * @default - the driver's
   */
  readonly serviceAccount?: string;
}
