import type { PodTemplate } from '../pods/pod-template';
import type { SubmissionIdentity } from '../identity';
import type { MainApplication } from '../properties/main-application';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import type { SparkVersion } from '../versions';
import { ConfReader } from './conf-reader';

/** What is submitted: all that spark-submit would be told, and all that it would make up itself. */
export interface DriverConfInput {
  /** Spark properties, as with `--conf`, and as `--jars`, `--name` and the like become. */
  readonly properties: ReadonlySparkProperties;
  /** What the driver runs. */
  readonly application: MainApplication;
  /** The version of Spark. */
  readonly version: SparkVersion;
  /** Namespace of all objects. */
  readonly namespace: string;
  /** Names and ids. */
  readonly identity: Pick<SubmissionIdentity, 'applicationId' | 'resourcePrefix' | 'configMapName' | 'localDirectory'>;
  /** The user that Spark says it runs for (`SPARK_USER`), as Hadoop's simple authentication sees it; a proxy user goes before. */
  readonly sparkUser: string;
  /** The time of the submission, in milliseconds since 1970. */
  readonly submitTime: number;
  /** What the driver's Pod starts from, in place of the file that `spark.kubernetes.driver.podTemplateFile` names. Default: nothing. */
  readonly driverTemplate?: PodTemplate;
  /**
   * What the executors' Pods start from: the text (YAML or JSON) of the file that `spark.kubernetes.executor.podTemplateFile`
   * names. It goes to the driver as it is. Default: nothing.
   */
  readonly executorTemplate?: string;
}

/** What the feature steps read (Spark's KubernetesDriverConf). */
export interface DriverConf extends DriverConfInput {
  /** The properties by type. */
  readonly conf: ConfReader;
  /** Spark's name of the application. */
  readonly applicationName: string;
}

/** Makes the input readable for the feature steps. */
export function driverConf(input: DriverConfInput): DriverConf {
  return {
    ...input,
    conf: new ConfReader(input.properties, input.version),
    applicationName: input.properties.get('spark.app.name') ?? nameOf(input.application),
  };
}

/** What Spark calls an application that has no name: its class, else its file (SparkSubmitArguments). */
function nameOf({ mainClass, resource }: MainApplication): string {
  return mainClass ?? resource.slice(resource.lastIndexOf('/') + 1);
}
