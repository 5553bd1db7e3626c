/**
 * References that are no secrets and lead to none: where the operator has its Spark, as Spark and as Hadoop write it. A property
 * must not be among those of Hadoop: see `foreignReference`.
 */
const HARMLESS = new Set(['env:SPARK_HOME', 'env.SPARK_HOME']);

/** Settings of Hadoop (SparkHadoopUtil.appendSparkHadoopConfigs, appendSparkHiveConfigs). */
export const HADOOP = /^spark\.(hadoop|hive)\./;

/**
 * Why spark-submit must not see a value: it refers to what the operator knows and the user does not, its variables and the system
 * properties of its JVM. Undefined if it does not. In whatever property: another one can refer to it.
 *
 * Spark resolves `${key}`, `${env:NAME}` and `${system:name}`, and what comes out of them, each for itself (ConfigReader). Hadoop
 * resolves `${key}`, `${env.NAME}` and `${name}` of system properties and looks at the whole text again after each of them
 * (Configuration.substituteVars), so that pieces can be put together to another reference; and among its settings are the operator's
 * credentials (SparkHadoopUtil.appendS3CredentialsFromEnvironment). That is why Hadoop's get none at all.
 */
export function foreignReference(key: string, value: string): string | undefined {
  for (let begin = value.indexOf('${'); begin >= 0;) {
    const next = value.indexOf('${', begin + 2);
    const brace = value.indexOf('}', begin + 2);
    if (next >= 0 && (brace < 0 || next < brace)) {
      return 'has a reference within a reference, which can lead to variables of the operator';
    }
    const name = value.slice(begin + 2, brace < 0 ? undefined : brace);
    if (!HARMLESS.has(name) || brace < 0) {
      if (HADOOP.test(key)) {
        return `has the reference ${shown(name)}, and Hadoop would resolve it with the settings of the operator`;
      }
      if (/^(env|system)\b/.test(name)) {
        return `refers to ${shown(name)} of the operator`;
      }
    }
    begin = next;
  }
  return undefined;
}

/** A reference for people; without what is no name. */
function shown(name: string): string {
  return /^[\w.:-]{1,80}$/.test(name) ? `\${${name}}` : '${…}';
}
