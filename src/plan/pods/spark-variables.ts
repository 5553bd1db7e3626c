import type { EnvVar } from '../../k8s';
import type { Role } from '../properties/role';
import { variableProperty } from './env';
import type { PodCustomization } from './pod-template';
import { referencesOf } from './references';

/** Source of a variable that Spark itself sets. */
export const SPARKS_OWN = 'Spark\'s own';

/**
 * Variables that Spark always sets in its container, after those of the template
 * (BasicDriverFeatureStep, BasicExecutorFeatureStep, LocalDirsFeatureStep, Client).
 */
const ALWAYS: { readonly [role in Role]: RegExp } = {
  driver: /^SPARK_(USER|APPLICATION_ID|DRIVER_BIND_ADDRESS|LOCAL_DIRS|CONF_DIR)$/,
  executor: /^(SPARK_(USER|APPLICATION_ID|DRIVER_URL|EXECUTOR_(CORES|MEMORY|ID|POD_IP|POD_NAME)|RESOURCE_PROFILE_ID|LOCAL_DIRS|CONF_DIR|JAVA_OPT_[0-9]+)|_SPARK_AUTH_SECRET)$/,
};

/**
 * Those of them that Spark sets before the variables of properties, which therefore take
 * precedence.
 */
const BEFORE_PROPERTIES: typeof ALWAYS = {
  driver: /^SPARK_(USER|APPLICATION_ID)$/,
  executor: /^SPARK_(USER|APPLICATION_ID|DRIVER_URL|EXECUTOR_(CORES|MEMORY|ID)|RESOURCE_PROFILE_ID|CONF_DIR)$/,
};

/**
 * Variables that Spark sets if a property exists, after those of properties
 * (HadoopConf…FeatureStep, KerberosConfDriverFeatureStep, DriverCommandFeatureStep).
 */
const BY_PROPERTY: { readonly [role in Role]: { readonly [variable: string]: readonly string[] } } = {
  driver: {
    HADOOP_CONF_DIR: ['spark.kubernetes.hadoop.configMapName'],
    HADOOP_TOKEN_FILE_LOCATION: ['spark.kubernetes.kerberos.tokenSecret.name'],
  },
  executor: {
    HADOOP_CONF_DIR: ['spark.kubernetes.hadoop.configMapName', 'spark.kubernetes.executor.hadoopConfigMapName'],
    SPARK_CLASSPATH: ['spark.executor.extraClassPath'],
    SPARK_EXECUTOR_ATTRIBUTE_APP_ID: ['spark.ui.custom.executor.log.url'],
    SPARK_EXECUTOR_ATTRIBUTE_EXECUTOR_ID: ['spark.ui.custom.executor.log.url'],
  },
};

/** Variables of drivers in Python, with their properties. */
const OF_PYTHON: typeof BY_PROPERTY[Role] = {
  PYSPARK_PYTHON: ['spark.pyspark.python'],
  PYSPARK_DRIVER_PYTHON: ['spark.pyspark.driver.python', 'spark.pyspark.python'],
};

/** Source that sets a variable after the template. */
export interface LaterVariable {
  /** Field of a property, or Spark itself. */
  readonly by: string;
  /** Value, if it is known. */
  readonly value?: string;
}

/**
 * Returns the source that sets a variable of Spark's container after the template, so that the
 * template's has no effect; undefined if none does.
 */
export function setAfterTemplate(name: string, request: PodCustomization): LaterVariable | undefined {
  const { role, properties, application } = request;
  const isAlways = ALWAYS[role].test(name);
  if (isAlways && !BEFORE_PROPERTIES[role].test(name)) {
    return { by: SPARKS_OWN };
  }
  const isPython = role === 'driver' && (application.mainApplicationFile ?? '').endsWith('.py');
  const key = keysOf(name, BY_PROPERTY[role], isPython ? OF_PYTHON : {}).find(candidate => properties.has(candidate));
  if (key !== undefined) {
    return { by: properties.fieldOf(key) };
  }
  const property = variableProperty(name, request);
  if (property !== undefined) {
    return { by: properties.fieldOf(property), ...(property.includes('.secretKeyRef.') ? {} : { value: properties.get(property) }) };
  }
  return isAlways ? { by: SPARKS_OWN } : undefined;
}

function keysOf(variable: string, ...byVariable: readonly typeof BY_PROPERTY[Role][]): readonly string[] {
  return byVariable.find(keys => Object.hasOwn(keys, variable))?.[variable] ?? [];
}

/**
 * Whether a later variable of the same name and another value replaces a variable of a template.
 */
export function isLost({ name, value, valueFrom }: EnvVar, request: PodCustomization): boolean {
  const later = setAfterTemplate(name, request);
  return later !== undefined && (Boolean(valueFrom) || later.value !== (value ?? ''));
}

/**
 * Returns the variable to which a variable of a template refers as `$(NAME)` although it is set
 * later. Kubernetes does not expand such a reference.
 *
 * @param before names of the preceding variables of the template
 */
export function referenceTooEarly({ name, value }: EnvVar, before: ReadonlySet<string>, request: PodCustomization): string | undefined {
  return referencesOf({ value })
    .find(other => other !== name && !before.has(other) && setAfterTemplate(other, request) !== undefined);
}
