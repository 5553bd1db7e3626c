import { ApiObjectMetadata } from 'cdk8s';
import { DriverIngress } from './driver-exposure';
import { ISparkJobNamespace } from './job-namespace';
import { SparkProfile } from './spark-profile';
import { SparkProfileProps } from './spark-profile-props';
import { SparkApplicationType } from '../api/spark-application';

/** Specification of an application, without its name. */
export interface SparkApplicationTemplate extends SparkProfileProps {
  /** Language of the application. */
  readonly type: SparkApplicationType;

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
   * Whether the application is suspended: it does not start, or stops if it runs.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * Access to other ports of the driver.
   *
   * @default - none
   */
  readonly driverIngresses?: DriverIngress[];

  /**
   * Settings for many applications. The other props take precedence: maps are merged key by key,
   * lists entry by entry (variables, volumes, Secrets and so on by their names), and other values
   * replace those of the profile.
   *
   * @default - none
   */
  readonly profile?: SparkProfile;
}

/** Name and specification of an application. */
export interface SparkApplicationProps extends SparkApplicationTemplate {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Namespace in which the application runs. It decides about the service account and the image if
   * the application does not, and its limits and quota apply at synthesis.
   *
   * @default - that of `metadata` or the chart, without these checks
   */
  readonly jobNamespace?: ISparkJobNamespace;

  /**
   * Whether synthesis rejects the application also for warnings: about fields that others override,
   * that have no effect, or that only some operators accept.
   *
   * @default false
   */
  readonly strict?: boolean;
}
