import { DynamicAllocation } from './dynamic-allocation';
import { SparkUIOptions } from './driver-exposure';
import { LocalDir } from './local-dir';
import { OpenLineageOptions } from './open-lineage';
import { SparkExecutorProps, SparkPodProps } from './spark-pod-props';
import { Dependencies } from '../api/dependencies';
import { ImagePullPolicy } from '../api/spark-application';
import { Volume } from '../k8s';

/** Settings that applications, schedules and Spark Connect servers have in common. */
export interface SparkWorkloadProps {
  /**
   * Version of Spark in the image, such as `4.1.1`.
   *
   * @default - that of the profile; one of them must set it
   */
  readonly sparkVersion?: string;

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
   * Settings of both the driver and the executors. Those of `driver` and `executor` take
   * precedence; maps and lists such as variables and volumes are merged.
   *
   * @default - none
   */
  readonly pods?: SparkPodProps;

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
   * Jars, files and packages that the program needs in addition to its image.
   *
   * @default - none
   */
  readonly deps?: Dependencies;

  /**
   * Sends lineage events to a server that understands OpenLineage.
   *
   * @see https://openlineage.io/docs/integrations/spark/
   * @default - none
   */
  readonly openLineage?: OpenLineageOptions;

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
   * Access to Spark's web UI.
   *
   * @default - a Service of type ClusterIP, unless the operator is configured to create none
   */
  readonly ui?: SparkUIOptions;
}
