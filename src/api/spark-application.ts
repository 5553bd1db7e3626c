import type { Dependencies } from './dependencies';
import type { DriverIngressConfiguration, SparkUIConfiguration } from './driver-exposure';
import type { DynamicAllocationSpec } from './dynamic-allocation';
import type { KindDefinition } from './kind';
import type { MonitoringSpec } from './monitoring';
import type { RestartPolicySpec } from './restart-policy';
import type { DriverSpec, ExecutorSpec } from './spark-pod';
import type { Volume } from '../k8s';

/** Definition of the kind. */
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

/** Deploy modes of the driver. */
export enum DeployMode {
  /** The driver runs in its own Pod. */
  CLUSTER = 'cluster',
  /**
   * The same as `CLUSTER`, with a warning event. Spark's client mode would run the driver at the
   * place of submission, inside the operator. It would have no Pod and no limits, and would end
   * with the operator.
   */
  CLIENT = 'client',
}

/** Major versions of Python. */
export enum PythonVersion {
  /** Python 2, which Spark 3 and later cannot run. */
  PYTHON2 = '2',
  /** Python 3. */
  PYTHON3 = '3',
}

/** Pull policies of an image, named as in Kubernetes. */
export enum ImagePullPolicy {
  /** Pull before every start. */
  ALWAYS = 'Always',
  /** Pull when the node does not have the image. */
  IF_NOT_PRESENT = 'IfNotPresent',
  /** Never pull: the image must be on the node. */
  NEVER = 'Never',
}

/**
 * Description of a Spark application: the `spec` of a `SparkApplication` manifest.
 *
 * @validation [{"rule": "!has(self.nodeSelector) || self.nodeSelector.size() == 0 || ((!has(self.driver.nodeSelector) || self.driver.nodeSelector.size() == 0) && (!has(self.executor.nodeSelector) || self.executor.nodeSelector.size() == 0))", "message": "nodeSelector must be set either here or in driver and executor, not in both: move it to driver and executor"}, {"rule": "has(self.driver.template) || !has(self.driver.volumeMounts) || sets.contains(has(self.volumes) ? self.volumes.map(volume, volume.name) : [], self.driver.volumeMounts.map(mount, mount.name))", "message": "driver.volumeMounts must name volumes of spec.volumes"}, {"rule": "has(self.executor.template) || !has(self.executor.volumeMounts) || sets.contains(has(self.volumes) ? self.volumes.map(volume, volume.name) : [], self.executor.volumeMounts.map(mount, mount.name))", "message": "executor.volumeMounts must name volumes of spec.volumes"}]
 */
export interface SparkApplicationSpec {
  /**
   * Language of the application. Spark itself uses the name of the file: if they contradict, the
   * file takes precedence, with a warning event.
   */
  readonly type: SparkApplicationType;

  /**
   * Spark version of the image, such as `4.1.1`. It determines details of the created objects that
   * differ between Spark versions. An unknown version is treated as the newest known one, with a
   * warning event.
   */
  readonly sparkVersion: string;

  /**
   * Deploy mode of the driver.
   *
   * @default DeployMode.CLUSTER
   */
  readonly mode?: DeployMode;

  /**
   * Whether to suspend the application: it does not start, or is stopped if it runs, until this is
   * `false`.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * User that Spark impersonates towards Hadoop (`--proxy-user`).
   *
   * @default - the operator's Spark user
   */
  readonly proxyUser?: string;

  /**
   * The image of driver and executors.
   *
   * @default - none; then `driver.image` and `executor.image`, or
   * `spark.kubernetes.container.image` in `sparkConf`, are required, here or in the defaults of the
   * namespace or the operator
   */
  readonly image?: string;

  /**
   * When to pull the image.
   *
   * @default - IfNotPresent, as in Spark
   * @emptyIsUnset
   */
  readonly imagePullPolicy?: ImagePullPolicy;

  /**
   * Names of the Secrets for pulling the image.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Main class of a Java or Scala application.
   *
   * @default - none; native submission requires it for Java and Scala
   */
  readonly mainClass?: string;

  /**
   * URI of the jar, Python file or R file to run. `local:///path` is a path inside the image. The
   * driver downloads `https:`, `s3a:`, `gs:`, `hdfs:` and other URIs.
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
   * Spark properties, such as `spark.sql.shuffle.partitions`. The fields of this specification take
   * precedence.
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
   * Name of a ConfigMap with Spark configuration files, such as `log4j2.properties`. It is mounted
   * at `/etc/spark/conf` in driver and executors, and `SPARK_CONF_DIR` is set to this path.
   *
   * @default - none
   * @minLength 1
   */
  readonly sparkConfigMap?: string;

  /**
   * Name of a ConfigMap with Hadoop configuration files, such as `core-site.xml`. It is mounted at
   * `/etc/hadoop/conf` in driver and executors, and `HADOOP_CONF_DIR` is set to this path.
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
   * Jars, files and packages that the application needs in addition to its image.
   *
   * @default - none
   */
  readonly deps?: Dependencies;

  /**
   * When and how often the application is restarted.
   *
   * @default - never
   */
  readonly restartPolicy?: RestartPolicySpec;

  /**
   * Labels that a node must have to run the driver or an executor. Set it either here or in
   * `driver` and `executor`, not both.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Not used, as `restartPolicy` applies; accepted for existing manifests.
   *
   * @default - none
   */
  readonly failureRetries?: number;

  /**
   * Not used, as `restartPolicy` applies; accepted for existing manifests.
   *
   * @default - none
   * @format int64
   */
  readonly retryInterval?: number;

  /**
   * Major version of Python. Spark 3 and later only run Python 3; `spark.pyspark.python` in
   * `sparkConf` selects the interpreter.
   *
   * @default - Spark's: 3
   */
  readonly pythonVersion?: PythonVersion;

  /**
   * Fraction of the memory to add for memory outside the JVM's heap, such as `0.2`.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#spark-properties
   * @default - 0.1 for Java and Scala, 0.4 for Python and R, as in Spark
   * @validation [{"rule": "self.matches('^(0|[1-9][0-9]*)?([.][0-9]+)?$')", "message": "must be a number such as 0.1"}]
   */
  readonly memoryOverheadFactor?: string;

  /**
   * Metrics to serve.
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
   * Settings of the batch scheduler.
   *
   * @default - derived from driver and executors
   */
  readonly batchSchedulerOptions?: BatchSchedulerConfiguration;

  /**
   * Maximum seconds of an attempt, from the creation of its driver to its end. After that the
   * driver is deleted and the attempt fails; the restart policy determines whether there is
   * another.
   *
   * @default - unlimited
   * @minimum 1
   * @format int64
   */
  readonly activeDeadlineSeconds?: number;

  /**
   * Seconds to keep a finished application; then it is deleted with all its objects. 0 or less
   * deletes it at once.
   *
   * @default - the operator's, else forever
   * @format int64
   */
  readonly timeToLiveSeconds?: number;

  /**
   * Access to Spark's web UI.
   *
   * @default - a Service of type ClusterIP, if the operator is configured to create one
   */
  readonly sparkUIOptions?: SparkUIConfiguration;

  /**
   * Access to other ports of the driver.
   *
   * @default - none
   * @maxItems 64
   * @validation [{"rule": "self.all(a, self.exists_one(b, a.servicePort == b.servicePort))", "message": "each servicePort must occur only once"}, {"rule": "self.all(a, !has(a.ingressURLFormat) || self.exists_one(b, has(b.ingressURLFormat) && a.ingressURLFormat == b.ingressURLFormat))", "message": "each ingressURLFormat must occur only once"}]
   */
  readonly driverIngressOptions?: DriverIngressConfiguration[];

  /**
   * Dynamic allocation, with which Spark adds and removes executors by load.
   *
   * @default - off; `executor.instances` executors run from start to end
   */
  readonly dynamicAllocation?: DynamicAllocationSpec;

  /**
   * Whether a PodDisruptionBudget protects the driver from eviction.
   *
   * @default - the operator's
   */
  readonly driverPodDisruptionBudget?: boolean;

  /**
   * Class-data archive of the image, with which the JVMs of driver and executors start in a
   * fraction of the CPU time. `auto`: the archive in `/opt/spark/fast-start`, where the image step
   * of `sparkctl image` puts it. A folder: the archive in it. `none`: no archive. An image without
   * the archive is no error. Settings of the application that need another class path or other
   * options of the JVM take precedence, with a warning event.
   *
   * @default - none
   * @maxLength 256
   * @validation [{"rule": "self.matches('^(none|auto|(/[A-Za-z0-9_.-]+)+)$')", "message": "must be none, auto or the path of a folder, such as /opt/app/fast-start"}]
   */
  readonly fastStart?: string;

  /** The driver's pod. */
  readonly driver: DriverSpec;

  /** The executors' pods. */
  readonly executor: ExecutorSpec;
}

/** Settings of a batch scheduler. */
export interface BatchSchedulerConfiguration {
  /**
   * Queue of the application.
   * @default - the scheduler's default
   */
  readonly queue?: string;
  /**
   * Name of the PriorityClass of the application's PodGroup.
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
