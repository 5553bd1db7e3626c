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

/** What to run, and on what: all of a `SparkApplication` but its name. */
export interface SparkApplicationTemplate {
  /** The language of the application. */
  readonly type: SparkApplicationType;

  /** The version of Spark in the image, such as `4.1.1`. */
  readonly sparkVersion: string;

  /**
   * The jar, Python file or R file to run, as a URI. `local:///path` is a path inside the image;
   * `https:`, `s3a:`, `gs:`, `hdfs:` and others are loaded by the driver.
   */
  readonly mainApplicationFile: string;

  /**
   * The class with the main method.
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
   * The image of driver and executors.
   *
   * @default - `apache/spark:<sparkVersion>`, unless `sparkConf` names one
   */
  readonly image?: string;

  /**
   * When the image is pulled.
   *
   * @default - Spark's: ImagePullPolicy.IF_NOT_PRESENT (`spark.kubernetes.container.image.pullPolicy`)
   */
  readonly imagePullPolicy?: ImagePullPolicy;

  /**
   * Names of the Secrets with which the image is pulled.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * The driver's pod.
   *
   * @default - 1 core, 1 GiB of heap, run as the service account `spark`
   */
  readonly driver?: SparkDriverProps;

  /**
   * The executors' pods.
   *
   * @default - one executor with 1 core and 1 GiB of heap
   */
  readonly executor?: SparkExecutorProps;

  /**
   * Let Spark add and remove executors with the load.
   *
   * @default - off; `executor.instances` executors run from start to end
   */
  readonly dynamicAllocation?: DynamicAllocation;

  /**
   * Whether, when and how often the application is run again.
   *
   * @default RestartPolicy.never()
   */
  readonly restartPolicy?: RestartPolicy;

  /**
   * How long an attempt may take, from the creation of its driver to its end. After that it has failed, and `restartPolicy` says whether there is another.
   *
   * @default - as long as it takes
   */
  readonly activeDeadline?: Duration;

  /**
   * How long after its end the application is deleted with all that belongs to it.
   *
   * @default - the operator's, else never
   */
  readonly timeToLive?: Duration;

  /**
   * Hold the application back: it is not started, or stopped if it runs, until this is `false` again.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * Spark properties, such as `spark.sql.shuffle.partitions`. The other props win over them. See also `addSparkConf`.
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
   * Name of a ConfigMap with files of Spark's configuration, such as `log4j2.properties`. It is mounted at `/etc/spark/conf`, where `SPARK_CONF_DIR` then points.
   *
   * @default - none
   */
  readonly sparkConfigMap?: string;

  /**
   * Name of a ConfigMap with files of Hadoop's configuration, such as `core-site.xml`. It is mounted at `/etc/hadoop/conf`, where `HADOOP_CONF_DIR` then points.
   *
   * @default - none
   */
  readonly hadoopConfigMap?: string;

  /**
   * Jars, files and packages that the application needs besides its image.
   *
   * @default - none
   */
  readonly deps?: Dependencies;

  /**
   * Volumes that driver and executors can mount with their `volumeMounts`. `addVolume` does both at a time.
   *
   * @default - none
   */
  readonly volumes?: Volume[];

  /**
   * Volumes on which driver and executors keep what Spark writes to local disks: shuffle data, and what does not fit into memory. With several of them Spark spreads
   * its files. See also `useLocalDirs` of the application.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#local-storage
   * @default - an emptyDir that Spark adds
   */
  readonly localDirs?: LocalDir[];

  /**
   * The part of the heap that is added for what lives outside of it, such as `0.2`.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#spark-properties
   * @default - Spark's: 0.1 for Java and Scala, 0.4 for Python and R (`spark.kubernetes.memoryOverheadFactor`)
   */
  readonly memoryOverheadFactor?: number;

  /**
   * Labels that a node must have to run the driver or an executor. Either here or in `driver` and `executor`, not both.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Which metrics are served, and how.
   *
   * @default - none
   */
  readonly monitoring?: Monitoring;

  /**
   * A scheduler that starts driver and executors together. The operator must have batch scheduling switched on.
   *
   * @default - none; the cluster's scheduler starts pod by pod
   */
  readonly batchScheduler?: BatchScheduler;

  /**
   * How Spark's web UI is reached.
   *
   * @default - by a Service of type ClusterIP, unless the operator is told to make none
   */
  readonly ui?: SparkUIOptions;

  /**
   * How other ports of the driver are reached.
   *
   * @default - not at all
   */
  readonly driverIngresses?: DriverIngress[];

  /**
   * Whether a PodDisruptionBudget keeps the driver from being evicted.
   *
   * @default - the operator's
   */
  readonly driverPodDisruptionBudget?: boolean;

  /**
   * The user that Spark acts as towards Hadoop.
   *
   * @default - the operator's Spark user
   */
  readonly proxyUser?: string;
}

/** What to run, and on what. */
export interface SparkApplicationProps extends SparkApplicationTemplate {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;
}
