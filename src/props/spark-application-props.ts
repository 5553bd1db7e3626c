import { ApiObjectMetadata, Duration } from 'cdk8s';
import { BatchScheduler } from './batch-scheduler';
import { DriverIngress, SparkUIOptions } from './driver-exposure';
import { DynamicAllocation } from './dynamic-allocation';
import { LocalDir } from './local-dir';
import { Monitoring } from './monitoring';
import { RestartPolicy } from './restart-policy';
import { SparkDriverProps, SparkExecutorProps } from './spark-pod-props';
import { Dependencies } from '../api/dependencies';
import { ImagePullPolicy, SparkApplicationType } from '../api/spark-application';
import { Volume } from '../k8s';

/** Specification of an application, without its name. */
export interface SparkApplicationTemplate {
  /** Language of the application. */
  readonly type: SparkApplicationType;

  /** Version of Spark in the image, such as `4.1.1`. */
  readonly sparkVersion: string;

  /**
   * Jar, Python file or R file to run, as a URI. `local:///path` is a path inside the image; the
   * driver loads `https:`, `s3a:`, `gs:`, `hdfs:` and others.
   */
  readonly mainApplicationFile: string;

  /**
   * Class with the main method.
   *
   * @default - none; required for Java and Scala
   */
  readonly mainClass?: string;

  /**
   * Arguments of the application.
   *
   * @default - none
   */
  readonly arguments?: string[];

  /**
   * Image of driver and executors.
   *
   * @default - `apache/spark:<sparkVersion>`, unless `sparkConf` sets one
   */
  readonly image?: string;

  /**
   * Pull policy of the image.
   *
   * @default - Spark's: ImagePullPolicy.IF_NOT_PRESENT
   * (`spark.kubernetes.container.image.pullPolicy`)
   */
  readonly imagePullPolicy?: ImagePullPolicy;

  /**
   * Names of the Secrets for pulling the image.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Pod of the driver.
   *
   * @default - 1 core, 1 GiB of heap, and the service account `spark`
   */
  readonly driver?: SparkDriverProps;

  /**
   * Pods of the executors.
   *
   * @default - one executor with 1 core and 1 GiB of heap
   */
  readonly executor?: SparkExecutorProps;

  /**
   * Lets Spark add and remove executors with the load.
   *
   * @default - off; `executor.instances` executors run from start to end
   */
  readonly dynamicAllocation?: DynamicAllocation;

  /**
   * Whether, when and how often the application runs again.
   *
   * @default RestartPolicy.never()
   */
  readonly restartPolicy?: RestartPolicy;

  /**
   * Maximum duration of an attempt, from the creation of its driver to its end. An attempt that
   * exceeds it has failed, and `restartPolicy` decides about another one.
   *
   * @default - no limit
   */
  readonly activeDeadline?: Duration;

  /**
   * Time after its end when the application is deleted with its objects.
   *
   * @default - the operator's, else never
   */
  readonly timeToLive?: Duration;

  /**
   * Whether the application is suspended: it does not start, or stops if it runs.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * Spark properties, such as `spark.sql.shuffle.partitions`. The other props take precedence. See
   * also `addSparkConf`.
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
   * Name of a ConfigMap with files of Spark's configuration, such as `log4j2.properties`. It is
   * mounted at `/etc/spark/conf`, and `SPARK_CONF_DIR` is set to this path.
   *
   * @default - none
   */
  readonly sparkConfigMap?: string;

  /**
   * Name of a ConfigMap with files of Hadoop's configuration, such as `core-site.xml`. It is
   * mounted at `/etc/hadoop/conf`, and `HADOOP_CONF_DIR` is set to this path.
   *
   * @default - none
   */
  readonly hadoopConfigMap?: string;

  /**
   * Jars, files and packages that the application needs in addition to its image.
   *
   * @default - none
   */
  readonly deps?: Dependencies;

  /**
   * Volumes that driver and executors can mount with their `volumeMounts`. `addVolume` adds both.
   *
   * @default - none
   */
  readonly volumes?: Volume[];

  /**
   * Volumes of driver and executors for Spark's local files: shuffle data, and data that does not
   * fit into memory. Spark spreads its files over several volumes. See also `useLocalDirs` of the
   * application.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#local-storage
   * @default - an emptyDir that Spark adds
   */
  readonly localDirs?: LocalDir[];

  /**
   * Memory outside the heap, as a fraction of the heap, such as `0.2`.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#spark-properties
   * @default - Spark's: 0.1 for Java and Scala, 0.4 for Python and R
   * (`spark.kubernetes.memoryOverheadFactor`)
   */
  readonly memoryOverheadFactor?: number;

  /**
   * Node selector of the driver and the executors. Set it here or in `driver` and `executor`, but
   * not in both.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Metrics of the application.
   *
   * @default - none
   */
  readonly monitoring?: Monitoring;

  /**
   * Scheduler that starts driver and executors together. The operator must have batch scheduling
   * enabled.
   *
   * @default - none; the cluster's scheduler starts pod by pod
   */
  readonly batchScheduler?: BatchScheduler;

  /**
   * Access to Spark's web UI.
   *
   * @default - a Service of type ClusterIP, unless the operator is configured to create none
   */
  readonly ui?: SparkUIOptions;

  /**
   * Access to other ports of the driver.
   *
   * @default - none
   */
  readonly driverIngresses?: DriverIngress[];

  /**
   * Whether a PodDisruptionBudget protects the driver from eviction.
   *
   * @default - the operator's
   */
  readonly driverPodDisruptionBudget?: boolean;

  /**
   * User name with which Spark accesses Hadoop.
   *
   * @default - the operator's Spark user
   */
  readonly proxyUser?: string;
}

/** Name and specification of an application. */
export interface SparkApplicationProps extends SparkApplicationTemplate {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;
}
