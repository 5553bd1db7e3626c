import { environmentPrefix } from './role';
import type { ReadonlySparkProperties } from './spark-conf';
import { overridden, type Problem } from '../../model/problem';

/**
 * Names that Spark accepts. It omits variables with other names, and only reports that in the
 * driver's log (KubernetesExecutorConf.checkExecutorEnvKey, in Spark 3.5 to 4.3).
 */
const ACCEPTED = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/**
 * Property with the file from which executors read their secret instead
 * (AUTH_SECRET_FILE_EXECUTOR).
 */
const SECRET_FILES = ['spark.authenticate.secret.executor.file', 'spark.authenticate.secret.file'];

/**
 * Properties that executors get as options of the JVM, except for those with passwords
 * (SparkConf.isExecutorStartupConf).
 */
const STARTUP = /^spark\.(auth|rpc|network|port\.|ssl(?!.*Password)|.*\.port$)/;

/**
 * Variables that Spark always adds, or adds if a property exists. They follow the user's variables,
 * so Spark's value applies.
 */
const ADDED_BEHIND: readonly {
  readonly name: string; readonly if?: (
    properties: ReadonlySparkProperties,
  ) => boolean; readonly by?: string;
}[] = [
  { name: 'SPARK_EXECUTOR_POD_IP' }, // BasicExecutorFeatureStep
  { name: 'SPARK_EXECUTOR_POD_NAME' },
  { name: 'SPARK_CLASSPATH', if: properties => properties.has('spark.executor.extraClassPath'), by: 'spark.executor.extraClassPath' },
  {
    name: '_SPARK_AUTH_SECRET', if: properties => properties.get('spark.authenticate') === 'true'
    && !SECRET_FILES.some(key => properties.has(key)),
  },
  { name: 'SPARK_LOCAL_DIRS' }, // LocalDirsFeatureStep
];

/**
 * Returns warnings about variables of executors that Spark omits or replaces. Spark accepts all
 * names of drivers' variables and of variables from Secrets.
 *
 * @param properties all properties of the application
 */
export function executorVariableWarnings(properties: ReadonlySparkProperties): Problem[] {
  const prefix = environmentPrefix('executor');
  const options = leastOptions(properties);
  return properties.withPrefix(prefix).flatMap(([name]): Problem[] => {
    const field = properties.fieldOf(prefix + name);
    if (!ACCEPTED.test(name)) {
      return [{
        path: field,
        reason: "is ignored by Spark, which only accepts letters, digits, '_', '-' and '.' in names of executors' variables, and no digit at their start; "
          + 'choose another name, or write it into spec.executor.env', severity: 'warning',
      }];
    }
    if (Number(/^SPARK_JAVA_OPT_(0|[1-9]\d*)$/.exec(name)?.[1] ?? Infinity) < options) {
      return [overridden(field, "Spark's own")];
    }
    const added = ADDED_BEHIND.find(variable => variable.name === name);
    return added && (added.if?.(properties) ?? true) ? [overridden(field, added.by ? properties.fieldOf(added.by) : "Spark's own")] : [];
  });
}

/**
 * Returns the minimum number of JVM options that Spark numbers as SPARK_JAVA_OPT_0 and so on
 * (BasicExecutorFeatureStep). These are the user's, split like Utils.splitCommandString, and
 * properties, which always include the driver's port. Spark might set more.
 */
function leastOptions(properties: ReadonlySparkProperties): number {
  const ofUsers = properties.get('spark.executor.extraJavaOptions')?.match(/([^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  const startup = properties.entries().map(([key]) => key).filter(key => STARTUP.test(key) && key !== 'spark.authenticate.secret');
  return ofUsers.length + new Set([...startup, 'spark.driver.port']).size;
}
