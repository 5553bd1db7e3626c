/** The language that Spark runs a main resource as; also the value of `spark.kubernetes.resource.type`. */
export type ResourceType = 'java' | 'python' | 'r';

/** What a driver runs. */
export interface MainApplication {
  /** How Spark runs the resource. Scala is `java`. */
  readonly type: ResourceType;
  /** URI of the jar, Python file or R file; `spark-internal` if the class is on Spark's own class path. */
  readonly resource: string;
  /** The class with the main method; only for `java`. */
  readonly mainClass?: string;
  /** Arguments of the application. */
  readonly arguments: readonly string[];
  /** The user on whose behalf the driver acts, as Hadoop's services see it. Default: the one who submits. */
  readonly proxyUser?: string;
}

/** What is written in place of a resource if there is none (org.apache.spark.launcher.SparkLauncher.NO_RESOURCE). */
export const NO_RESOURCE = 'spark-internal';
