/**
 * Words in the names of what must not be shown, as a pattern: those of the default of Spark's `spark.redaction.regex`, and what is like
 * them. The short ones only where no longer word goes on (`passed`, `sasl`). Case does not matter.
 * @internal
 */
export const SECRET_NAME = '(?:secret|passw(?:or)?d|passphrase|pwd|pass(?![a-z])|token|credential|(?:access|account|api|private|shared)[._-]?key'
  + '|(?<![a-z])(?:sas|sig|signature)(?![a-z]))';

const SECRET = new RegExp(SECRET_NAME, 'i');

/**
 * What people keep secrets in whatever its name: variables (`envVars[A]`, `spark.executorEnv.A`) and settings of Hadoop's file systems
 * (`hadoopConf[a]`, `spark.hadoop.a`).
 */
const ANY_NAME = /\b(?:env|envVars|hadoopConf)\[|Env\.|\bspark\.hadoop\./;

/**
 * Whether what stands under a name can be a secret, so that only the name is to be shown. A name is a Spark property's or a field's.
 * @internal
 */
export function mayHoldSecret(name: string): boolean {
  return SECRET.test(name) || holdsAnything(name);
}

/**
 * Whether people keep secrets in a field or property of any name.
 * @internal
 */
export function holdsAnything(name: string): boolean {
  return ANY_NAME.test(name);
}
