import type { ReadonlySparkProperties } from '../spark-conf';

/** Why a value cannot be resolved, as SubmissionError says it. */
export interface UnresolvedReference {
  readonly reason: string;
  readonly remedy: string;
}

/** `${name}` and `${prefix:name}` (org.apache.spark.internal.config.ConfigReader). */
const REFERENCE = /\$\{(?:([A-Za-z0-9_]+?):)?([^ \t\n\v\f\r]+?)\}/g;

const REMEDY = 'write the value itself';

/**
 * Puts the values of other Spark properties into a value, as Spark does when it reads a property that it knows: for
 * `${spark.some.key}` the value of that property, and so on. What does not start with `spark.` stays as it is. Not resolved are
 * environment variables and system properties, which are those of whoever runs spark-submit, and a property that is not set, for
 * which Spark may have a default.
 *
 * @param fail makes the error to be thrown
 */
export function resolveReferences(
  text: string, properties: ReadonlySparkProperties, fail: (why: UnresolvedReference) => Error, used: readonly string[] = [],
): string {
  return text.replace(REFERENCE, (reference: string, prefix: string | undefined, name: string) => {
    if (prefix === 'env' || prefix === 'system') {
      throw fail({ reason: `refers to ${reference}, which only the machine knows that runs spark-submit`, remedy: REMEDY });
    }
    if (prefix !== undefined || !name.startsWith('spark.')) {
      return reference;
    }
    if (used.includes(name)) {
      throw fail({ reason: `refers to itself by way of ${reference}`, remedy: REMEDY });
    }
    const value = properties.get(name);
    if (value === undefined) {
      throw fail({ reason: `refers to ${name}, which is not set`, remedy: `set it, or ${REMEDY}` });
    }
    return resolveReferences(value, properties, fail, [...used, name]);
  });
}
