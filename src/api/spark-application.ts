import type { KindDefinition } from './kind';
import type { ApplicationState, ExecutorState } from './states';

/** The kind as the API server knows it. */
export const SPARK_APPLICATION: KindDefinition = {
  group: 'sparkoperator.k8s.io',
  version: 'v1beta2',
  kind: 'SparkApplication',
  plural: 'sparkapplications',
  singular: 'sparkapplication',
  shortNames: ['sparkapp'],
  printerColumns: [
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
  /** The driver runs in a pod of its own. */
  CLUSTER = 'cluster',
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
 */
export interface SparkApplicationSpec {
  /** The language of the application. */
  readonly type: SparkApplicationType;

  /**
   * The version of Spark in the image, such as `4.1.1`. It decides the details of the objects that are created, as they
   * differ between Spark's versions.
   *
   * @validation [{"rule": "self.matches('^[0-9]+[.][0-9]+([.][0-9]+)?([-.][0-9A-Za-z.-]+)?$')", "message": "must be a Spark version such as 4.1.1"}]
   */
  readonly sparkVersion: string;

  /**
   * Where the driver runs.
   *
   * @default DeployMode.CLUSTER
   */
  readonly mode?: DeployMode;

  /**
   * The image of driver and executors.
   *
   * @default - none; then `driver.image` and `executor.image`, or `spark.kubernetes.container.image` in `sparkConf`, are required
   * @minLength 1
   */
  readonly image?: string;

  /**
   * When the image is pulled.
   *
   * @default - IfNotPresent, as in Spark
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
   * @minLength 1
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
   */
  readonly arguments?: string[];

  /**
   * Spark properties, such as `spark.sql.shuffle.partitions`. The fields of this specification win over them.
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
   * Jars, files and packages that the application needs besides its image.
   *
   * @default - none
   */
  readonly deps?: Dependencies;

  /**
   * Labels that a node must have to run the driver or an executor.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * The part of the memory that is added for what lives outside the JVM's heap, such as `0.2`.
   *
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#spark-properties
   * @default - 0.1 for Java and Scala, 0.4 for Python and R, as in Spark
   * @validation [{"rule": "self.matches('^(0|[1-9][0-9]*)?([.][0-9]+)?$') && self != ''", "message": "must be a number such as 0.1"}]
   */
  readonly memoryOverheadFactor?: string;

  /**
   * Let Spark add and remove executors with the load.
   *
   * @default - off; `executor.instances` executors run from start to end
   */
  readonly dynamicAllocation?: DynamicAllocationSpec;

  /** The driver's pod. */
  readonly driver: DriverSpec;

  /** The executors' pods. */
  readonly executor: ExecutorSpec;
}

/** What an application needs besides its image. Each entry is a URI, see `mainApplicationFile`. */
export interface Dependencies {
  /**
   * Jars for the class path of driver and executors.
   * @default - none
   */
  readonly jars?: string[];
  /**
   * Files for the working directory of each executor.
   * @default - none
   */
  readonly files?: string[];
  /**
   * `.py`, `.zip` and `.egg` files for the Python path.
   * @default - none
   */
  readonly pyFiles?: string[];
  /**
   * Archives to unpack in the working directory of each executor; `archive#name` chooses the folder.
   * @default - none
   */
  readonly archives?: string[];
  /**
   * Maven coordinates, `group:artifact:version`, that the driver resolves when it starts.
   * @default - none
   */
  readonly packages?: string[];
  /**
   * `group:artifact` of packages that are not to come along with `packages`.
   * @default - none
   */
  readonly excludePackages?: string[];
  /**
   * Maven repositories to search besides Maven Central.
   * @default - none
   */
  readonly repositories?: string[];
}

/**
 * Bounds within which Spark adds and removes executors.
 *
 * @see https://spark.apache.org/docs/latest/job-scheduling.html#dynamic-resource-allocation
 * @validation [{"rule": "!has(self.minExecutors) || !has(self.maxExecutors) || self.minExecutors <= self.maxExecutors", "message": "minExecutors must not be greater than maxExecutors"}]
 */
export interface DynamicAllocationSpec {
  /**
   * Whether dynamic allocation is on.
   * @default false
   */
  readonly enabled?: boolean;
  /**
   * Executors at the start.
   * @default - Spark's: minExecutors
   * @minimum 0
   */
  readonly initialExecutors?: number;
  /**
   * The least number of executors.
   * @default - Spark's: 0
   * @minimum 0
   */
  readonly minExecutors?: number;
  /**
   * The greatest number of executors.
   * @default - Spark's: no bound
   * @minimum 1
   */
  readonly maxExecutors?: number;
  /**
   * Keep executors that hold shuffle data which is still needed. Without an external shuffle service this must stay on.
   * @default true
   */
  readonly shuffleTrackingEnabled?: boolean;
}

/** What the pods of driver and executors have in common. */
export interface SparkPodSpec {
  /**
   * Cores that Spark counts on (the number of tasks that an executor runs at a time), and the CPU request unless
   * `coreRequest` is set.
   * @default 1
   * @minimum 1
   */
  readonly cores?: number;
  /**
   * CPU request as a Kubernetes quantity, such as `500m`.
   * @default - `cores`
   * @validation [{"rule": "self.matches('^([0-9]+m|[0-9]+([.][0-9]{1,3})?)$')", "message": "must be a CPU quantity such as 500m or 1.5"}]
   */
  readonly coreRequest?: string;
  /**
   * CPU limit as a Kubernetes quantity, such as `1200m`.
   * @default - no limit
   * @validation [{"rule": "self.matches('^([0-9]+m|[0-9]+([.][0-9]{1,3})?)$')", "message": "must be a CPU quantity such as 500m or 1.5"}]
   */
  readonly coreLimit?: string;
  /**
   * Heap of the JVM as Spark writes sizes, such as `512m` or `4g`.
   * @default 1g
   * @validation [{"rule": "self.matches('^[0-9]+([bB]|[kKmMgGtTpP][bB]?)?$')", "message": "must be a size as Spark writes it, such as 512m or 4g (not 4Gi)"}]
   */
  readonly memory?: string;
  /**
   * Memory outside the heap, added to `memory` for the pod's request and limit.
   * @default - `memory` times the overhead factor, at least 384m
   * @validation [{"rule": "self.matches('^[0-9]+([bB]|[kKmMgGtTpP][bB]?)?$')", "message": "must be a size as Spark writes it, such as 512m or 4g (not 4Gi)"}]
   */
  readonly memoryOverhead?: string;
  /**
   * Image in place of the application's.
   * @default - the application's image
   * @minLength 1
   */
  readonly image?: string;
  /**
   * Environment variables.
   * @default - none
   */
  readonly envVars?: { [key: string]: string };
  /**
   * Labels of the pod besides Spark's and the operator's.
   * @default - none
   */
  readonly labels?: { [key: string]: string };
  /**
   * Annotations of the pod.
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
  /**
   * Options of the JVM. Heap sizes belong into `memory`.
   * @default - none
   */
  readonly javaOptions?: string;
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
   * Service account that the driver runs as. It must be allowed to manage executors, as the one that `SparkOperator`
   * creates in each job namespace (`spark`).
   * @default - the namespace's `default` service account
   * @minLength 1
   */
  readonly serviceAccount?: string;
}

/** The executors' pods. */
export interface ExecutorSpec extends SparkPodSpec {
  /**
   * Number of executors.
   * @default 1
   * @minimum 1
   */
  readonly instances?: number;
  /**
   * Service account that the executors run as.
   * @default - the driver's service account
   * @minLength 1
   */
  readonly serviceAccount?: string;
  /**
   * Whether Spark deletes an executor's Pod when the executor ends. Keep them to read their logs afterwards.
   * @default true
   */
  readonly deleteOnTermination?: boolean;
}

/** What the operator knows about an application, as in its `status`. */
export interface SparkApplicationStatus {
  /**
   * Spark's id of the application.
   * @default - not submitted yet
   */
  readonly sparkApplicationId?: string;
  /**
   * Id of the current submission. It is written before anything is created, and names what is created.
   * @default - not submitted yet
   */
  readonly submissionID?: string;
  /**
   * When the current submission began (RFC 3339).
   * @default - not submitted yet
   * @format date-time
   */
  readonly lastSubmissionAttemptTime?: string;
  /**
   * When the application ended (RFC 3339).
   * @default - not ended yet
   * @format date-time
   */
  readonly terminationTime?: string;
  /** The driver. */
  readonly driverInfo: DriverInfo;
  /**
   * The application's state.
   * @default - new
   */
  readonly applicationState?: ApplicationStateInfo;
  /**
   * State of each executor, by the name of its Pod.
   * @default - none
   */
  readonly executorState?: { [podName: string]: ExecutorState };
  /**
   * How often the driver was started.
   * @default 0
   */
  readonly executionAttempts?: number;
  /**
   * How often it was tried to start the driver.
   * @default 0
   */
  readonly submissionAttempts?: number;
}

/** The application's state and why it is in it. */
export interface ApplicationStateInfo {
  /** The state. */
  readonly state: ApplicationState;
  /**
   * Why the application failed or does not start, in words.
   * @default - nothing is wrong
   */
  readonly errorMessage?: string;
}

/** Where the driver is. */
export interface DriverInfo {
  /**
   * Name of the driver's Pod.
   * @default - not submitted yet
   */
  readonly podName?: string;
}
