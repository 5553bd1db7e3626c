import { sparkOptions } from './java-option-text';
import type { Violation } from '../../model/problem';

/** Spark looks for them anywhere in the options of executors (SparkConf.validateSettings), and at the beginning of each option of drivers (SparkSubmitCommandBuilder.checkJavaOptions). */
const HEAP_SIZE = /-Xmx[^\s"']*/;
/** Without the value, which may be a secret. */
const SPARK_PROPERTY = /-Dspark[^\s"'=]*/;

/** Patches and other languages can write any value; of the wrong type it is refused elsewhere. */
type Options = unknown;

type Role = 'driver' | 'executor';

/**
 * An option of a JVM with which Spark does not start.
 * @internal
 */
export interface WrongJavaOption {
  /** The option alone: others may hold passwords. */
  readonly option: string;
  /** What is wrong. */
  readonly reason: string;
  /** What to do instead. */
  readonly remedy: string;
}

/**
 * What Spark refuses of the options of a JVM.
 * @param memory where the heap is set instead
 * @internal
 */
export function wrongJavaOptions(options: Options, role: Role, memory: string): WrongJavaOption[] {
  if (typeof options !== 'string') return [];
  const [heapSize] = HEAP_SIZE.exec(role === 'executor' ? options : heapSizeOption(options)) ?? [];
  const [property] = (role === 'executor' && SPARK_PROPERTY.exec(options)) || [];
  return [
    ...(heapSize ? [{ option: heapSize, reason: 'must not have -Xmx, which Spark refuses', remedy: `set ${memory}` }] : []),
    ...(property ? [{ option: property, reason: 'must not have properties of Spark, which Spark refuses', remedy: 'write them in sparkConf' }] : []),
  ];
}

/** The first option that sets the heap; none of those that have it among other text, such as a command to be run. */
function heapSizeOption(options: string): string {
  return sparkOptions(options).find((option) => option.startsWith('-Xmx')) ?? '';
}

/**
 * The properties that have options of a JVM. The first is that of the field `javaOptions`.
 * @internal
 */
export function javaOptionProperties(role: Role): readonly [extra: string, byDefault: string] {
  return [`spark.${role}.extraJavaOptions`, `spark.${role}.defaultJavaOptions`];
}

/** As far as options of JVMs stand there. */
interface WithJavaOptions {
  readonly sparkConf?: { readonly [key: string]: Options };
  readonly driver?: { readonly javaOptions?: Options };
  readonly executor?: { readonly javaOptions?: Options };
}

/**
 * The same in a specification, in fields and properties.
 * @param driver what the driver is called
 * @internal
 */
export function javaOptionViolations({ sparkConf, ...spec }: WithJavaOptions, driver: 'driver' | 'server' = 'driver'): Violation[] {
  return (['driver', 'executor'] as const).flatMap((role) => {
    const memory = `spec.${role === 'driver' ? driver : role}.memory`;
    const violationsOf = (path: string, options: Options) => wrongJavaOptions(options, role, memory).map(({ option, reason, remedy }) => ({ path, value: option, reason: `${reason}: ${remedy}` }));
    const written = spec[role]?.javaOptions;
    // The field wins over its property.
    const keys = javaOptionProperties(role).slice(written ? 1 : 0);
    return [...violationsOf(`spec.${role}.javaOptions`, written), ...keys.flatMap((key) => violationsOf(`spec.sparkConf["${key}"]`, sparkConf?.[key]))];
  });
}
