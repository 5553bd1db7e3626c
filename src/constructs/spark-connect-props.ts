import { ApiObjectMetadata, Duration, Size } from 'cdk8s';
import { SparkUIOptions } from '../props/driver-exposure';
import { DynamicAllocation } from '../props/dynamic-allocation';
import { SparkConnectRestartPolicy } from './spark-connect-restart-policy';
import { ServiceType } from '../api/driver-exposure';
import { PodTemplateSpec } from '../k8s';

/** A Spark Connect server and its executors. */
export interface SparkConnectProps {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /** Version of Spark in the image, such as `4.1.1`. */
  readonly sparkVersion: string;

  /**
   * Image of server and executors.
   *
   * @default - `apache/spark:<sparkVersion>`, unless `sparkConf` or both templates set one
   */
  readonly image?: string;

  /**
   * The server, which runs the driver of all sessions.
   *
   * @default - 1 core, 1 GiB of heap, and the service account `spark`
   */
  readonly server?: SparkConnectServerProps;

  /**
   * Executors, which all sessions share.
   *
   * @default - Spark's: two executors with 1 core and 1 GiB of heap
   */
  readonly executor?: SparkConnectExecutorProps;

  /**
   * Lets Spark add and remove executors with the load.
   *
   * @default - off; `executor.instances` executors run as long as the server
   */
  readonly dynamicAllocation?: DynamicAllocation;

  /**
   * Spark properties, such as `spark.sql.shuffle.partitions`. The other props take precedence.
   *
   * @see https://spark.apache.org/docs/latest/configuration.html
   * @default - none
   */
  readonly sparkConf?: { [key: string]: string };

  /**
   * Hadoop properties. Each becomes the Spark property `spark.hadoop.<key>`.
   *
   * @default - none
   */
  readonly hadoopConf?: { [key: string]: string };

  /**
   * Whether a server that has ended starts again.
   *
   * @default SparkConnectRestartPolicy.always()
   */
  readonly restartPolicy?: SparkConnectRestartPolicy;

  /**
   * Whether server and executors are stopped. The Service remains.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * Time without a session after which the SparkConnect is deleted with its objects.
   *
   * @default - never
   */
  readonly idleTimeToLive?: Duration;

  /**
   * Access to Spark's web UI from outside the cluster, in addition to the port of the server's
   * Service.
   *
   * @default - the operator's
   */
  readonly ui?: SparkUIOptions;
}

/** Common settings of server and executors. */
export interface SparkConnectPodProps {
  /**
   * Cores for Spark's tasks, and the CPU request.
   *
   * @default - Spark's: 1 (`spark.driver.cores`, `spark.executor.cores`)
   */
  readonly cores?: number;

  /**
   * Heap of the JVM, in whole MiB. At least 450 MiB: Spark does not start with less.
   *
   * @default - Spark's: 1 GiB (`spark.driver.memory`, `spark.executor.memory`)
   */
  readonly memory?: Size;

  /**
   * Template of the pod. Spark's container is the one named `spark-kubernetes-driver` or
   * `spark-kubernetes-executor`, else the first.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#pod-template
   * @default - an empty pod
   */
  readonly template?: PodTemplateSpec;
}

/** Settings of the server. */
export interface SparkConnectServerProps extends SparkConnectPodProps {
  /**
   * Name of the server's service account. It must be allowed to manage executors.
   *
   * @default - `spark`, which `SparkOperator` creates in each job namespace, unless the template
   * sets one
   */
  readonly serviceAccount?: string;

  /**
   * The Service through which clients reach the server.
   *
   * @default - `<name>-server` of type ClusterIP
   */
  readonly service?: SparkConnectServiceProps;
}

/** The Service through which clients reach the server. */
export interface SparkConnectServiceProps {
  /**
   * Name of the Service.
   *
   * @default - `<name>-server`
   */
  readonly name?: string;

  /**
   * Type of the Service.
   *
   * @default ServiceType.CLUSTER_IP
   */
  readonly type?: ServiceType;

  /**
   * Labels in addition to the operator's.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations, such as those for a cloud's load balancer.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** Settings of the executors. */
export interface SparkConnectExecutorProps extends SparkConnectPodProps {
  /**
   * Number of executors.
   *
   * @default - Spark's: 2 (`spark.executor.instances`)
   */
  readonly instances?: number;
}
