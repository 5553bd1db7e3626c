import type { PodTemplate } from '../pods/pod-template';
import type { SubmissionIdentity } from '../identity';
import type { MainApplication } from '../properties/main-application';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import type { SparkVersion } from '../versions';
import { ConfReader } from './conf-reader';

/**
 * Input of a native submission: the arguments of spark-submit, and everything that spark-submit
 * generates.
 */
export interface DriverConfInput {
  /** Spark properties, including those of `--jars`, `--name` and similar options. */
  readonly properties: ReadonlySparkProperties;
  /** Program that the driver runs. */
  readonly application: MainApplication;
  /** The version of Spark. */
  readonly version: SparkVersion;
  /** Namespace of all objects. */
  readonly namespace: string;
  /** Names and ids. */
  readonly identity: Pick<SubmissionIdentity, 'applicationId' | 'resourcePrefix' | 'configMapName' | 'localDirectory'>;
  /**
   * User in `SPARK_USER`, as Hadoop's simple authentication reads it. A proxy user takes
   * precedence.
   */
  readonly sparkUser: string;
  /** Time of the submission in milliseconds since the epoch. */
  readonly submitTime: number;
  /**
   * Template of the driver's Pod, in place of the file in
   * `spark.kubernetes.driver.podTemplateFile`. Default: none.
   */
  readonly driverTemplate?: PodTemplate;
  /**
   * Template of the executors' Pods: the text (YAML or JSON) of the file in
   * `spark.kubernetes.executor.podTemplateFile`. The driver gets it unchanged. Default: none.
   */
  readonly executorTemplate?: string;
}

/** Input of the feature steps (Spark's KubernetesDriverConf). */
export interface DriverConf extends DriverConfInput {
  /** Reader of the properties by type. */
  readonly conf: ConfReader;
  /** Name of the application in Spark. */
  readonly applicationName: string;
}

/** Returns the input of the feature steps. */
export function driverConf(input: DriverConfInput): DriverConf {
  return {
    ...input,
    conf: new ConfReader(input.properties, input.version),
    applicationName: input.properties.get('spark.app.name') ?? nameOf(input.application),
  };
}

/**
 * Returns the default name of an application: its class, otherwise its file (SparkSubmitArguments).
 */
function nameOf({ mainClass, resource }: MainApplication): string {
  return mainClass ?? resource.slice(resource.lastIndexOf('/') + 1);
}
