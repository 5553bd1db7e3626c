import type { Violation } from '../validation/validate';

/** Spark looks for them anywhere in the options of executors (SparkConf.validateSettings), and at the beginning of each option of drivers (SparkSubmitCommandBuilder.checkJavaOptions). */
const HEAP_SIZE = /-Xmx[^\s"']*/;
/** Without the value, which may be a secret. */
const SPARK_PROPERTY = /-Dspark[^\s"'=]*/;

/** Options as Spark takes them apart: at blanks that stand in no quotes (CommandBuilderUtils.parseOptionString). */
const OPTION = /(?:[^\s"'\\]|\\[^]|"(?:[^"\\]|\\[^])*"?|'[^']*'?)+/g;

/** Patches and other languages can write any value; of the wrong type it is refused elsewhere. */
type Options = unknown;

/**
 * What Spark refuses of the options of a JVM. Only the option that is wrong is shown: others may hold passwords.
 * @param path where they stand
 * @param memory where the heap is set instead
 * @internal
 */
export function javaOptionViolations(path: string, options: Options, role: 'driver' | 'executor', memory: string): Violation[] {
  if (typeof options !== 'string') return [];
  const [heapSize] = HEAP_SIZE.exec(role === 'executor' ? options : heapSizeOption(options)) ?? [];
  const [property] = (role === 'executor' && SPARK_PROPERTY.exec(options)) || [];
  return [
    ...(heapSize ? [{ path, value: heapSize, reason: `must not have -Xmx, which Spark refuses: set ${memory}` }] : []),
    ...(property ? [{ path, value: property, reason: 'must not have properties of Spark, which Spark refuses: write them in sparkConf' }] : []),
  ];
}

/** The first option that sets the heap; none of those that have it among other text, such as a command to be run. */
function heapSizeOption(options: string): string {
  return (options.match(OPTION) ?? []).map((option) => option.replace(/\\([^])|["']/g, '$1')).find((option) => option.startsWith('-Xmx')) ?? '';
}

/**
 * The same of properties.
 * @param driver what the driver is called
 * @internal
 */
export function javaOptionViolationsOfConf(sparkConf: { readonly [key: string]: Options } | undefined, driver: 'driver' | 'server' = 'driver'): Violation[] {
  return (['driver', 'executor'] as const).flatMap((role) => ['extraJavaOptions', 'defaultJavaOptions'].flatMap((name) => {
    const key = `spark.${role}.${name}`;
    return javaOptionViolations(`spec.sparkConf["${key}"]`, sparkConf?.[key], role, `${role === 'driver' ? driver : role}.memory`);
  }));
}
