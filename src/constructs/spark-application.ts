import { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { ApiSparkApplication } from './api-spark-application';
import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';
import {
  Dependencies, DeployMode, DynamicAllocationSpec, ImagePullPolicy, SparkApplicationSpec, SparkApplicationType,
} from '../api/spark-application';
import { DriverSpec, ExecutorSpec } from '../api/spark-pod';

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
   * The jar, Python file or R file to run, as a URI. `local:///path` is a path inside the image.
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
   * @default - `apache/spark:<sparkVersion>`
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
   * @default - 0.1 for Java and Scala, 0.4 for Python and R, as in Spark
   */
  readonly memoryOverheadFactor?: string;

  /**
   * Let Spark add and remove executors with the load.
   *
   * @default - off
   */
  readonly dynamicAllocation?: DynamicAllocationSpec;

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

/**
 * A Spark application: the operator submits it, follows it and reports its state in the resource's status.
 *
 * The driver runs as the service account `spark`, which `SparkOperator` creates in each job namespace, unless `driver.serviceAccount` names another.
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
      mode: DeployMode.CLUSTER,
      image: props.image ?? `apache/spark:${props.sparkVersion}`,
      driver: { serviceAccount: DRIVER_SERVICE_ACCOUNT, ...props.driver },
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
