import type { Dependencies } from './dependencies';
import type { DriverIngressConfiguration, SparkUIConfiguration } from './driver-exposure';
import type { DynamicAllocationSpec } from './dynamic-allocation';
import type { KindDefinition } from './kind';
import type { MonitoringSpec } from './monitoring';
import type { RestartPolicySpec } from './restart-policy';
import type { DriverSpec, ExecutorSpec } from './spark-pod';
import type { Volume } from '../k8s';

/** The kind as the API server knows it. */
export const SPARK_APPLICATION: KindDefinition = {
  group: 'sparkoperator.k8s.io',
  version: 'v1beta2',
  kind: 'SparkApplication',
  plural: 'sparkapplications',
  singular: 'sparkapplication',
  shortNames: ['sparkapp'],
  maxNameLength: 63,
  printerColumns: [
    { name: 'Suspend', jsonPath: '.spec.suspend', type: 'boolean' },
    { name: 'Status', jsonPath: '.status.applicationState.state', type: 'string' },
    { name: 'Attempts', jsonPath: '.status.executionAttempts', type: 'string' },
    { name: 'Start', jsonPath: '.status.lastSubmissionAttemptTime', type: 'string' },
    { name: 'Finish', jsonPath: '.status.terminationTime', type: 'string' },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
};

/** The language of a Spark application. */
export enum SparkApplicationType {
  /** A JVM application written in Java. Needs `mainClass`. */
  JAVA = 'Java',
  /** A JVM application written in Scala. Needs `mainClass`. */
  SCALA = 'Scala',
  /** A PySpark application. */
  PYTHON = 'Python',
  /** A SparkR application. */
  R = 'R',
}

/** Where the driver runs. */
export enum DeployMode {
  /** The driver runs in a Pod of its own. */
  CLUSTER = 'cluster',
  /**
   * The same as `CLUSTER`, with a warning event. Spark's client mode would run the driver where it is submitted, which is inside the
   * operator: it could neither be seen as a Pod nor limited, and would end with the operator.
   */
  CLIENT = 'client',
}

/** Major version of Python. */
export enum PythonVersion {
  /** Python 2, which Spark 3 and later cannot run. */
  PYTHON2 = '2',
  /** Python 3. */
  PYTHON3 = '3',
}

/** When the kubelet pulls an image. The words are Kubernetes' own. */
export enum ImagePullPolicy {
  /** Pull before every start. */
  ALWAYS = 'Always',
  /** Pull when the node does not have the image. */
  IF_NOT_PRESENT = 'IfNotPresent',
  /** Never pull: the image must be on the node. */
  NEVER = 'Never',
}

/**
 * What a Spark application is and what it needs, as in the `spec` of a `SparkApplication` manifest.
 *
 * @validation [{"rule": "!has(self.nodeSelector) || self.nodeSelector.size() == 0 || ((!has(self.driver.nodeSelector) || self.driver.nodeSelector.size() == 0) && (!has(self.executor.nodeSelector) || self.executor.nodeSelector.size() == 0))", "message": "nodeSelector must stand either here or in driver and executor, not in both: move it to driver and executor"}, {"rule": "has(self.driver.template) || !has(self.driver.volumeMounts) || sets.contains(has(self.volumes) ? self.volumes.map(volume, volume.name) : [], self.driver.volumeMounts.map(mount, mount.name))", "message": "driver.volumeMounts must name volumes of spec.volumes"}, {"rule": "has(self.executor.template) || !has(self.executor.volumeMounts) || sets.contains(has(self.volumes) ? self.volumes.map(volume, volume.name) : [], self.executor.volumeMounts.map(mount, mount.name))", "message": "executor.volumeMounts must name volumes of spec.volumes"}]
 */
export interface SparkApplicationSpec {
  /**
   * The language of the application. Spark itself goes by the name of the file: if the two contradict each other, the file decides, with a
   * warning event.
   */
  readonly type: SparkApplicationType;

  /**
   * The version of Spark in the image, such as `4.1.1`. It decides the details of the objects that are created, as they
   * differ between Spark's versions. A version that is not known is taken for the newest known one, with a warning event.
   */
  readonly sparkVersion: string;

  /**
   * Where the driver runs.
   *
   * @default DeployMode.CLUSTER
   */
  readonly mode?: DeployMode;

  /**
   * Whether the application is held back: it is not started, or stopped if it runs, until this is `false` again.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * The user that Spark acts as towards Hadoop (`--proxy-user`).
   *
   * @default - the operator's Spark user
   */
  readonly proxyUser?: string;

  /**
   * The image of driver and executors.
   *
   * @default - none; then `driver.image` and `executor.image`, or `spark.kubernetes.container.image` in `sparkConf`, are required
   */
  readonly image?: string;

  /**
   * When the image is pulled.
   *
   * @default - IfNotPresent, as in Spark
   * @emptyIsUnset
   */
  readonly imagePullPolicy?: ImagePullPolicy;

  /**
   * Names of the Secrets with which the image is pulled.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * The class with the main method of a Java or Scala application.
   *
   * @default - none; native submission requires it for Java and Scala
   */
  readonly mainClass?: string;

  /**
   * The jar, Python file or R file to run, as a URI. `local:///path` is a path inside the image;
   * `https:`, `s3a:`, `gs:`, `hdfs:` and others are loaded by the driver.
   *
   * @minLength 1
   */
  readonly mainApplicationFile: string;

  /**
   * Arguments of the application.
   *
   * @default - none
   * @maxItems 10000
   */
  readonly arguments?: string[];

  /**
   * Spark properties, such as `spark.sql.shuffle.partitions`. The fields of this specification win over them.
   *
   * @see https://spark.apache.org/docs/latest/configuration.html
   * @default - none
   * @validationFrom api/denied-conf SPARK_CONF_RULES
   */
  readonly sparkConf?: { [key: string]: string };

  /**
   * Hadoop properties. Each becomes the Spark property `spark.hadoop.<key>`.
   *
   * @default - none
   */
  readonly hadoopConf?: { [key: string]: string };

  /**
   * Name of a ConfigMap with files of Spark's configuration, such as `log4j2.properties`. It is mounted at `/etc/spark/conf` in driver and
   * executors, where `SPARK_CONF_DIR` then points.
   *
   * @default - none
   * @minLength 1
   */
  readonly sparkConfigMap?: string;

  /**
   * Name of a ConfigMap with files of Hadoop's configuration, such as `core-site.xml`. It is mounted at `/etc/hadoop/conf` in driver and
   * executors, where `HADOOP_CONF_DIR` then points.
   *
   * @default - none
   * @minLength 1
   */
  readonly hadoopConfigMap?: string;

  /**
   * Volumes that driver and executors can mount with their `volumeMounts`.
   *
   * @default - none
   * @maxItems 256
   */
  readonly volumes?: Volume[];

  /**
   * Jars, files and packages that the application needs besides its image.
   *
   * @default - none
   */
  readonly deps?: Dependencies;

  /**
   * Whether and how often the application is run again.
   *
   * @default - never
   */
  readonly restartPolicy?: RestartPolicySpec;

  /**
   * Labels that a node must have to run the driver or an executor. Either here or in `driver` and `executor`, not both.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Not used; `restartPolicy` decides. It is here for manifests that have it.
   *
   * @default - none
   */
  readonly failureRetries?: number;

  /**
   * Not used; `restartPolicy` decides. It is here for manifests that have it.
   *
   * @default - none
   * @format int64
   */
  readonly retryInterval?: number;

  /**
   * Major version of Python. Spark 3 and later only run Python 3; `spark.pyspark.python` in `sparkConf` chooses the program.
   *
   * @default - Spark's: 3
   */
  readonly pythonVersion?: PythonVersion;

  /**
   * The part of the memory that is added for what lives outside the JVM's heap, such as `0.2`.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#spark-properties
   * @default - 0.1 for Java and Scala, 0.4 for Python and R, as in Spark
   * @validation [{"rule": "self.matches('^(0|[1-9][0-9]*)?([.][0-9]+)?$')", "message": "must be a number such as 0.1"}]
   */
  readonly memoryOverheadFactor?: string;

  /**
   * Which metrics are served, and how.
   *
   * @default - none
   */
  readonly monitoring?: MonitoringSpec;

  /**
   * Name of the batch scheduler, such as `volcano` or `yunikorn`.
   *
   * @default - none
   */
  readonly batchScheduler?: string;

  /**
   * What the batch scheduler is told.
   *
   * @default - derived from driver and executors
   */
  readonly batchSchedulerOptions?: BatchSchedulerConfiguration;

  /**
   * Seconds that an attempt may take, from the creation of its driver to its end. After that its driver is deleted, and the attempt has failed; the restart policy
   * says whether there is another.
   *
   * @default - as long as it takes
   * @minimum 1
   * @format int64
   */
  readonly activeDeadlineSeconds?: number;

  /**
   * Seconds after its end after which the application is deleted with all that belongs to it; 0 or less means at once.
   *
   * @default - the operator's, else never
   * @format int64
   */
  readonly timeToLiveSeconds?: number;

  /**
   * How Spark's web UI is reached.
   *
   * @default - by a Service of type ClusterIP, if the operator is told to make one
   */
  readonly sparkUIOptions?: SparkUIConfiguration;

  /**
   * How other ports of the driver are reached.
   *
   * @default - not at all
   * @maxItems 64
   * @validation [{"rule": "self.all(a, self.exists_one(b, a.servicePort == b.servicePort))", "message": "each servicePort may be there once"}, {"rule": "self.all(a, !has(a.ingressURLFormat) || self.exists_one(b, has(b.ingressURLFormat) && a.ingressURLFormat == b.ingressURLFormat))", "message": "each ingressURLFormat may be there once"}]
   */
  readonly driverIngressOptions?: DriverIngressConfiguration[];

  /**
   * Let Spark add and remove executors with the load.
   *
   * @default - off; `executor.instances` executors run from start to end
   */
  readonly dynamicAllocation?: DynamicAllocationSpec;

  /**
   * Whether a PodDisruptionBudget keeps the driver from being evicted.
   *
   * @default - the operator's
   */
  readonly driverPodDisruptionBudget?: boolean;

  /** The driver's pod. */
  readonly driver: DriverSpec;

  /** The executors' pods. */
  readonly executor: ExecutorSpec;
}

/** What a batch scheduler is told. */
export interface BatchSchedulerConfiguration {
  /**
   * The queue that the application waits in.
   * @default - the scheduler's default
   */
  readonly queue?: string;
  /**
   * Name of the PriorityClass of the application's group of pods.
   * @default - none
   */
  readonly priorityClassName?: string;
  /**
   * Resources that must be free before the application starts.
   * @default - those of driver and initial executors
   * @quantity
   */
  readonly resources?: { [key: string]: string };
}
