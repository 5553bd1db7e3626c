import type { Violation } from '../validation/validate';

/** Found by Spark itself, when it is too late (SparkConf.validateSettings; SparkSubmitCommandBuilder.checkJavaOptions). */
const HEAP_SIZE = /(?:^|\s)["']?(-Xmx[^\s"']*)/;
/** Without the value, which may be a secret. */
const SPARK_PROPERTY = /(?:^|\s)["']?(-Dspark\.[^\s"'=]*)/;

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
  const [, heapSize] = HEAP_SIZE.exec(options) ?? [];
  const [, property] = (role === 'executor' && SPARK_PROPERTY.exec(options)) || [];
  return [
    ...(heapSize ? [{ path, value: heapSize, reason: `must not have -Xmx, which Spark refuses: set ${memory}` }] : []),
    ...(property ? [{ path, value: property, reason: 'must not have properties of Spark, which Spark refuses: write them in sparkConf' }] : []),
  ];
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
