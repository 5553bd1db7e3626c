import { sparkOptions } from './java-option-text';

/**
 * Spark searches the whole options of executors for it (SparkConf.validateSettings), and the
 * beginning of each option of drivers (SparkSubmitCommandBuilder.checkJavaOptions).
 */
const HEAP_SIZE = /-Xmx[^\s"']*/;
/** Excludes the value, which can be a secret. */
const SPARK_PROPERTY = /-Dspark[^\s"'=]*/;

/** Patches and other languages can have any value; other checks reject a wrong type. */
type Options = unknown;

type Role = 'driver' | 'executor';

/** An option of a JVM with which Spark does not start. @internal */
export interface WrongJavaOption {
  /** The option alone, as others can contain passwords. */
  readonly option: string;
  /** The fault. */
  readonly reason: string;
  /** The remedy. */
  readonly remedy: string;
}

/**
 * Returns the options of a JVM that Spark rejects.
 * @param memory the field that sets the heap size
 * @internal
 */
export function wrongJavaOptions(options: Options, role: Role, memory: string): WrongJavaOption[] {
  if (typeof options !== 'string') return [];
  const [heapSize] = HEAP_SIZE.exec(role === 'executor' ? options : heapSizeOption(options)) ?? [];
  const [property] = (role === 'executor' && SPARK_PROPERTY.exec(options)) || [];
  return [
    ...(heapSize ? [{ option: heapSize, reason: 'must not have -Xmx, which Spark rejects', remedy: `set ${memory}` }] : []),
    ...(property ? [{
      option: property, reason: 'must not have properties of Spark, which Spark rejects', remedy: 'write them in sparkConf',
    }] : []),
  ];
}

/**
 * Returns the first option that sets the heap size. Options that contain it in other text, such as
 * a command, are allowed.
 */
function heapSizeOption(options: string): string {
  return sparkOptions(options).find((option) => option.startsWith('-Xmx')) ?? '';
}

/**
 * Returns the properties with options of a JVM. The first has the same meaning as the field
 * `javaOptions`.
 * @internal
 */
export function javaOptionProperties(role: Role): readonly [extra: string, byDefault: string] {
  return [`spark.${role}.extraJavaOptions`, `spark.${role}.defaultJavaOptions`];
}
