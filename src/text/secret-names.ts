/**
 * Pattern of words in the names of secrets: those of the default of Spark's
 * `spark.redaction.regex`, and similar ones. The short ones match only at the end of a word (not
 * `passed` or `sasl`). Case does not matter.
 * @internal
 */
export const SECRET_NAME = '(?:secret|passw(?:or)?d|passphrase|pwd|pass(?![a-z])|token|credential'
  + '|(?:access|account|api|private|shared)[._-]?key'
  + '|(?<![a-z])(?:sas|sig|signature)(?![a-z]))';

const SECRET = new RegExp(SECRET_NAME, 'i');

/**
 * Names whose values can be secrets, whatever the rest of the name: variables (`envVars[A]`,
 * `spark.executorEnv.A`) and settings of Hadoop's file systems (`hadoopConf[a]`, `spark.hadoop.a`).
 */
const ANY_NAME = /\b(?:env|envVars|hadoopConf)\[|Env\.|\bspark\.hadoop\./;

/**
 * Whether the value of a property or field can be a secret, so that only the name is shown.
 * @internal
 */
export function mayHoldSecret(name: string): boolean {
  return SECRET.test(name) || holdsAnything(name);
}

/** Whether users store secrets in this kind of field or property, whatever its name. @internal */
export function holdsAnything(name: string): boolean {
  return ANY_NAME.test(name);
}
