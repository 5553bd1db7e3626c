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

  /** The version of Spark in the image, such as `4.1.1`. */
  readonly sparkVersion: string;

  /**
   * The image of server and executors.
   *
   * @default - `apache/spark:<sparkVersion>`, unless `sparkConf` or both templates name one
   */
  readonly image?: string;

  /**
   * The server, in which the driver of all sessions runs.
   *
   * @default - 1 core, 1 GiB of heap, run as the service account `spark`
   */
  readonly server?: SparkConnectServerProps;

  /**
   * The executors, which all sessions share.
   *
   * @default - Spark's: two executors with 1 core and 1 GiB of heap
   */
  readonly executor?: SparkConnectExecutorProps;

  /**
   * Let Spark add and remove executors with the load.
   *
   * @default - off; `executor.instances` executors run as long as the server
   */
  readonly dynamicAllocation?: DynamicAllocation;

  /**
   * Spark properties, such as `spark.sql.shuffle.partitions`. The other props win over them.
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
   * Whether a server that has ended is started again.
   *
   * @default SparkConnectRestartPolicy.always()
   */
  readonly restartPolicy?: SparkConnectRestartPolicy;

  /**
   * Stop server and executors, until this is `false` again. The Service stays.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * How long there may be no session before the SparkConnect is deleted with all that belongs to it.
   *
   * @default - for ever
   */
  readonly idleTimeToLive?: Duration;

  /**
   * How Spark's web UI is reached from outside the cluster, besides the port of the server's Service.
   *
   * @default - as the operator is told
   */
  readonly ui?: SparkUIOptions;
}

/** What server and executors have in common. */
export interface SparkConnectPodProps {
  /**
   * Cores that Spark counts on, and the CPU request.
   *
   * @default - Spark's: 1 (`spark.driver.cores`, `spark.executor.cores`)
   */
  readonly cores?: number;

  /**
   * Heap of the JVM. At least 450 MiB, with less Spark does not start; in whole MiB.
   *
   * @default - Spark's: 1 GiB (`spark.driver.memory`, `spark.executor.memory`)
   */
  readonly memory?: Size;

  /**
   * A pod that the server or executor starts from. Spark's container is the one named `spark-kubernetes-driver` or `spark-kubernetes-executor`, else the first.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#pod-template
   * @default - an empty pod
   */
  readonly template?: PodTemplateSpec;
}

/** The server. */
export interface SparkConnectServerProps extends SparkConnectPodProps {
  /**
   * Name of the service account that the server runs as. It must be allowed to manage executors.
   *
   * @default - `spark`, which `SparkOperator` creates in each job namespace, unless the template names one
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
   * Labels, besides the operator's.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations, such as those that a cloud's load balancer reads.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** The executors. */
export interface SparkConnectExecutorProps extends SparkConnectPodProps {
  /**
   * Number of executors.
   *
   * @default - Spark's: 2 (`spark.executor.instances`)
   */
  readonly instances?: number;
}
