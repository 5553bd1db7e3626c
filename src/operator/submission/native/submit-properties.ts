import { NO_RESOURCE } from '../main-application';
import type { SparkProperties } from '../spark-conf';
import type { DriverConf } from './driver-conf';

/** Why these properties are set, in place of a field that a user wrote. */
const FIELD = 'spark-submit';

/**
 * The properties that spark-submit sets before any step runs (SparkSubmit.prepareSubmitEnvironment): how and when it was
 * submitted, and where the application's code is.
 */
export function submitProperties({ properties, conf, application, applicationName, submitTime }: DriverConf): SparkProperties {
  const result = properties.copy();
  result.set('spark.submit.deployMode', 'cluster', FIELD);
  result.setIfMissing('spark.app.name', applicationName, FIELD);
  result.setIfMissing('spark.app.submitTime', String(submitTime), FIELD);
  result.setIfMissing('spark.submit.pyFiles', '', FIELD);
  if (application.type === 'java') {
    const own = application.resource === NO_RESOURCE ? [] : [application.resource];
    result.set('spark.jars', [...conf.list('spark.jars'), ...own].join(','), properties.fieldOf('spark.jars'));
  }
  return result;
}
