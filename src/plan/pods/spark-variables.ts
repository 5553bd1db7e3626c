import type { EnvVar } from '../../k8s';
import type { Role } from '../properties/role';
import { variableProperty } from './env';
import type { PodCustomization } from './pod-template';

/** What sets a variable that Spark itself has. */
export const SPARKS_OWN = 'Spark\'s own';

/** Variables that Spark sets in its container in any case, after those of the template (BasicDriverFeatureStep, BasicExecutorFeatureStep, LocalDirsFeatureStep, Client). */
const ALWAYS: { readonly [role in Role]: RegExp } = {
  driver: /^SPARK_(USER|APPLICATION_ID|DRIVER_BIND_ADDRESS|LOCAL_DIRS|CONF_DIR)$/,
  executor: /^(SPARK_(USER|APPLICATION_ID|DRIVER_URL|EXECUTOR_(CORES|MEMORY|ID|POD_IP|POD_NAME)|RESOURCE_PROFILE_ID|LOCAL_DIRS|CONF_DIR|JAVA_OPT_[0-9]+)|_SPARK_AUTH_SECRET)$/,
};

/** Those of them that come before the variables of properties, which so win. */
const BEFORE_PROPERTIES: typeof ALWAYS = {
  driver: /^SPARK_(USER|APPLICATION_ID)$/,
  executor: /^SPARK_(USER|APPLICATION_ID|DRIVER_URL|EXECUTOR_(CORES|MEMORY|ID)|RESOURCE_PROFILE_ID|CONF_DIR)$/,
};

/** Variables that Spark sets if a property is there, behind those of properties (HadoopConf…FeatureStep, KerberosConfDriverFeatureStep, DriverCommandFeatureStep). */
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

/** Variables of drivers in Python. */
const OF_PYTHON: typeof BY_PROPERTY[Role] = {
  PYSPARK_PYTHON: ['spark.pyspark.python'],
  PYSPARK_DRIVER_PYTHON: ['spark.pyspark.driver.python', 'spark.pyspark.python'],
};

/** What sets a variable after a template has set it. */
export interface LaterVariable {
  /** The field of a property, or Spark itself. */
  readonly by: string;
  /** The value that it gets, where that is known. */
  readonly value?: string;
}

/** Who sets a variable in Spark's container after those of the template, so that the template's has no effect; undefined: nobody. */
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

/** Whether a variable of a template is another one than that which is set after it, or there is none. */
export function isLost({ name, value, valueFrom }: EnvVar, request: PodCustomization): boolean {
  const later = setAfterTemplate(name, request);
  return later !== undefined && (Boolean(valueFrom) || later.value !== (value ?? ''));
}

/**
 * The variable to which one of a template refers as `$(NAME)`, if it is set only after it: Kubernetes leaves the reference as it is written.
 *
 * @param before names of the variables of the template that come before
 */
export function referenceTooEarly({ name, value }: EnvVar, before: ReadonlySet<string>, request: PodCustomization): string | undefined {
  const text = value ?? '';
  // Behind the last bracket nothing can match, and each beginning would be looked at up to the end. Of two dollars Kubernetes makes one, and nothing is put in.
  return [...text.slice(0, text.lastIndexOf(')') + 1).matchAll(/(?<!\$)(?:\$\$)*\$\(([^)]+)\)/g)].map(match => match[1]!)
    .find(other => other !== name && !before.has(other) && setAfterTemplate(other, request) !== undefined);
}
