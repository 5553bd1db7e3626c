import { sparkList } from '../properties/java-values';
import { NO_RESOURCE } from '../properties/main-application';
import type { MainApplication } from '../properties/main-application';
import { SparkProperties } from '../properties/spark-conf';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import type { DriverConf } from './driver-conf';

/** Source of these properties, in place of a field. */
const FIELD = 'spark-submit';

/** Address of the API server; the default scheme is HTTPS (Utils.checkAndGetK8sMasterUrl). */
const MASTER = 'spark.master';

/** Lists of URIs. */
const JARS = 'spark.jars';
const PYTHON_FILES = 'spark.submit.pyFiles';
const URI_LISTS = [JARS, PYTHON_FILES, 'spark.files', 'spark.archives'];

/** Properties with their names in older versions of Spark. */
const FORMER_NAMES: { readonly [key: string]: string } = {
  'spark.kerberos.keytab': 'spark.yarn.keytab',
  'spark.kerberos.principal': 'spark.yarn.principal',
};

/** Property that the driver's Service sets, not the user. */
const DRIVER_HOST = 'spark.driver.host';

/**
 * Returns the properties as spark-submit prepares them before the first step (SparkSubmitArguments,
 * SparkSubmit.prepareSubmitEnvironment). These are only Spark's own, with the mode and time of the
 * submission, and the URIs of the code.
 */
export function submitProperties({ properties, application, applicationName, submitTime }: DriverConf): SparkProperties {
  const result = sparksOwn(properties);
  for (const [key, former] of Object.entries(FORMER_NAMES)) {
    if (properties.has(former)) {
      result.setIfMissing(key, properties.get(former)!, properties.fieldOf(former));
    }
  }
  const master = properties.get(MASTER);
  if (master !== undefined) {
    result.set(MASTER, master.replace(/^k8s:\/\/(?!.*:\/\/)/s, 'k8s://https://'), properties.fieldOf(MASTER));
  }
  result.set('spark.submit.deployMode', 'cluster', FIELD);
  result.setIfMissing('spark.app.name', applicationName, FIELD);
  result.setIfMissing('spark.app.submitTime', String(submitTime), FIELD);
  result.setIfMissing(PYTHON_FILES, '', FIELD);
  for (const key of URI_LISTS.filter(list => properties.has(list))) {
    result.set(key, sparkList(properties.get(key)!).join(','), properties.fieldOf(key));
  }
  if (application.type === 'java') {
    result.set(JARS, [...sparkList(properties.get(JARS) ?? ''), ...ownJar(application)].join(','), properties.fieldOf(JARS));
  }
  return result;
}

/**
 * Returns the properties that start with `spark.`; Spark ignores others
 * (SparkSubmitArguments.ignoreNonSparkProperties).
 */
function sparksOwn(properties: ReadonlySparkProperties): SparkProperties {
  const result = new SparkProperties();
  for (const [key, value] of properties.entries()) {
    if (key.startsWith('spark.') && key !== DRIVER_HOST) {
      result.set(key, value, properties.fieldOf(key));
    }
  }
  return result;
}

function ownJar({ resource }: MainApplication): string[] {
  return resource === NO_RESOURCE ? [] : [resource];
}
