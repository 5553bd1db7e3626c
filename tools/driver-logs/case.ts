import type { RealSparkVersion } from '../real-spark/versions.ts';

/** A program that fails, and how. */
export interface Case {
  /** Name of the log, without the version of Spark. */
  readonly name: string;
  readonly spark: RealSparkVersion;
  /** File below `programs`. A class of Java or Scala is in the package `com.example`. */
  readonly program: string;
  /** Version of Spark that Java or Scala is compiled for; by default `spark`. */
  readonly builtFor?: RealSparkVersion;
  /** Main class; by default that of the program's language or file. */
  readonly mainClass?: string;
  /** URL of the application, where it is not that of the program. */
  readonly resource?: string;
  readonly args?: readonly string[];
  /** Other files below `programs` for the working folder. */
  readonly files?: readonly string[];
  readonly conf?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Artifacts of Maven Central that the image has in addition, as `group:name:version`. */
  readonly jars?: readonly string[];
  /** Shell commands that prepare the container, sourced by container.sh: `$root` is its root folder, `$local_dir` the name of Spark's local folder. */
  readonly setup?: string;
  /** A signal that the driver gets as soon as its log has a text. */
  readonly signal?: { readonly name: 'TERM' | 'KILL'; readonly after: string };
  readonly exitCode: number;
  /** A text of the log that proves that the program failed as intended. */
  readonly contains: string;
}

/** Some applications log warnings only, as many do in production. It keeps the recordings small, too. */
export const QUIET = { 'spark.log.level': 'WARN' };

/** The file of a case's log. */
export function logFile({ name, spark }: Case): string {
  return `${name}-${spark.split('.').slice(0, 2).join('.')}.log`;
}
