/** Language of a main resource; also the value of `spark.kubernetes.resource.type`. */
export type ResourceType = 'java' | 'python' | 'r';

/** Program that a driver runs. */
export interface MainApplication {
  /** Language of the resource. Scala is `java`. */
  readonly type: ResourceType;
  /**
   * URI of the jar, Python file or R file; `spark-internal` if the class is on Spark's own class
   * path.
   */
  readonly resource: string;
  /** Class with the main method; only for `java`. */
  readonly mainClass?: string;
  /** Arguments of the application. */
  readonly arguments: readonly string[];
  /** User for whom the driver acts in Hadoop's services. Default: the submitting user. */
  readonly proxyUser?: string;
}

/** Placeholder for a missing resource (org.apache.spark.launcher.SparkLauncher.NO_RESOURCE). */
export const NO_RESOURCE = 'spark-internal';
