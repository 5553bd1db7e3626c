import { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { ApiSparkApplication } from './api-spark-application';
import { Dependencies } from '../api/dependencies';
import { DriverIngressConfiguration, SparkUIConfiguration } from '../api/driver-exposure';
import { DynamicAllocationSpec } from '../api/dynamic-allocation';
import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';
import { MonitoringSpec } from '../api/monitoring';
import { RestartPolicy } from '../api/restart-policy';
import { BatchSchedulerConfiguration, DeployMode, ImagePullPolicy, PythonVersion, SparkApplicationSpec, SparkApplicationType } from '../api/spark-application';
import { DriverSpec, ExecutorSpec } from '../api/spark-pod';
import { Volume } from '../k8s';

/** What to run, and on what. */
export interface SparkApplicationProps {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

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
   * Where the driver runs. `DeployMode.CLIENT` is the same as `DeployMode.CLUSTER`, with a warning event.
   *
   * @default DeployMode.CLUSTER
   */
  readonly mode?: DeployMode;

  /**
   * Hold the application back: it is not started, or stopped if it runs, until this is `false` again.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * The user that Spark acts as towards Hadoop.
   *
   * @default - the operator's Spark user
   */
  readonly proxyUser?: string;

  /**
   * The image of driver and executors.
   *
   * @default - `apache/spark:<sparkVersion>`, unless `sparkConf` names one
   */
  readonly image?: string;

  /**
   * When the image is pulled.
   *
   * @default ImagePullPolicy.IF_NOT_PRESENT
   */
  readonly imagePullPolicy?: ImagePullPolicy;

  /**
   * Names of the Secrets with which the image is pulled.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Spark properties. The other props win over them.
   *
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
   * Name of a ConfigMap with files of Spark's configuration, such as `log4j2.properties`.
   *
   * @default - none
   */
  readonly sparkConfigMap?: string;

  /**
   * Name of a ConfigMap with files of Hadoop's configuration, such as `core-site.xml`.
   *
   * @default - none
   */
  readonly hadoopConfigMap?: string;

  /**
   * Volumes that driver and executors can mount with their `volumeMounts`.
   *
   * @default - none
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
  readonly restartPolicy?: RestartPolicy;

  /**
   * How long an attempt may take, from its submission to its end, in seconds. After that it has failed, and `restartPolicy` says whether there is another.
   *
   * @default - as long as it takes
   */
  readonly activeDeadlineSeconds?: number;

  /**
   * How long after its end the application is deleted with all that belongs to it, in seconds.
   *
   * @default - the operator's, else never
   */
  readonly timeToLiveSeconds?: number;

  /**
   * Labels that a node must have to run the driver or an executor. Either here or in `driver` and `executor`, not both.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Not used; `restartPolicy` decides.
   *
   * @default - none
   */
  readonly failureRetries?: number;

  /**
   * Not used; `restartPolicy` decides.
   *
   * @default - none
   */
  readonly retryInterval?: number;

  /**
   * Major version of Python. Spark 3 and later only run Python 3.
   *
   * @default - Spark's: 3
   */
  readonly pythonVersion?: PythonVersion;

  /**
   * The part of the memory that is added for what lives outside the JVM's heap, such as `0.2`.
   *
   * @default - 0.1 for Java and Scala, 0.4 for Python and R, as in Spark
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
   * How Spark's web UI is reached.
   *
   * @default - by a Service of type ClusterIP, if the operator is told to make one
   */
  readonly sparkUIOptions?: SparkUIConfiguration;

  /**
   * How other ports of the driver are reached.
   *
   * @default - not at all
   */
  readonly driverIngressOptions?: DriverIngressConfiguration[];

  /**
   * Let Spark add and remove executors with the load.
   *
   * @default - off
   */
  readonly dynamicAllocation?: DynamicAllocationSpec;

  /**
   * Whether a PodDisruptionBudget keeps the driver from being evicted.
   *
   * @default - the operator's
   */
  readonly driverPodDisruptionBudget?: boolean;

  /**
   * The driver's pod.
   *
   * @default - 1 core, 1g of heap, run as the service account `spark`
   */
  readonly driver?: DriverSpec;

  /**
   * The executors' pods.
   *
   * @default - one executor with 1 core and 1g of heap
   */
  readonly executor?: ExecutorSpec;
}

const IMAGE_PROPERTIES: readonly string[] = ['', 'driver.', 'executor.'].map((role) => `spark.kubernetes.${role}container.image`);

/**
 * A Spark application: the operator submits it, follows it and reports its state in the resource's status.
 *
 * The driver runs as the service account `spark`, which `SparkOperator` creates in each job namespace, unless `driver.serviceAccount` or the
 * driver's template names another.
 * What the API server would refuse later is refused here, with the field, its value and the reason.
 */
export class SparkApplication extends Construct {
  /** The custom resource. */
  public readonly resource: ApiSparkApplication;

  constructor(scope: Construct, id: string, props: SparkApplicationProps) {
    super(scope, id);
    const { metadata, ...fields } = props;
    const spec: SparkApplicationSpec = {
      ...fields,
      mode: props.mode ?? DeployMode.CLUSTER,
      // Fields win over properties and templates, which a default must not do.
      image: props.image ?? (IMAGE_PROPERTIES.some((key) => props.sparkConf?.[key]) ? undefined : `apache/spark:${props.sparkVersion}`),
      driver: {
        serviceAccount: props.driver?.template?.spec?.serviceAccountName ? undefined : DRIVER_SERVICE_ACCOUNT,
        ...props.driver,
      },
      executor: { ...props.executor },
    };
    if ((props.type === SparkApplicationType.JAVA || props.type === SparkApplicationType.SCALA) && !props.mainClass) {
      throw new Error(`SparkApplication at ${this.node.path}: mainClass is missing; a ${props.type} application needs the name of the class with its main method`);
    }
    this.resource = new ApiSparkApplication(this, 'Resource', { metadata, spec });
  }

  /** Name of the resource. */
  public get name(): string {
    return this.resource.name;
  }
}
