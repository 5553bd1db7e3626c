import {
  LABEL_SPARK_APP_NAME, LABEL_SPARK_APP_SELECTOR, LABEL_SPARK_ROLE, LABEL_SPARK_VERSION,
} from '../../api/labels';
import type { StringMap } from '../../model/kubernetes-objects';
import { applicationNameLabel } from '../names';
import { sparkVersionLabel } from '../versions';
import type { DriverConf } from './driver-conf';

const LABEL_PREFIX = 'spark.kubernetes.driver.label.';
const ANNOTATION_PREFIX = 'spark.kubernetes.driver.annotation.';

/**
 * Returns the labels of the driver's Pod, by which its Service selects it: the user's and Spark's
 * own (KubernetesDriverConf.labels).
 *
 * @throws SubmissionError if the user sets one of Spark's own
 */
export function driverLabels({ conf, properties, version, identity, applicationName }: DriverConf): StringMap {
  const own: StringMap = {
    [LABEL_SPARK_VERSION]: sparkVersionLabel(version),
    [LABEL_SPARK_APP_SELECTOR]: identity.applicationId,
    [LABEL_SPARK_APP_NAME]: applicationNameLabel(applicationName),
    [LABEL_SPARK_ROLE]: 'driver',
  };
  const labels = properties.withPrefix(LABEL_PREFIX).map(([name, value]) => {
    if (Object.hasOwn(own, name)) {
      throw conf.wrong(LABEL_PREFIX + name, `sets the label ${name}, which belongs to Spark`, 'remove it or choose another label');
    }
    return [name, version.features.idsInLabels ? substituteIds(value, identity.applicationId) : value];
  });
  return { ...Object.fromEntries(labels), ...own };
}

/** Returns the annotations of the driver's Pod. */
export function driverAnnotations({ properties, identity }: DriverConf): StringMap {
  return Object.fromEntries(properties.withPrefix(ANNOTATION_PREFIX)
    .map(([name, value]) => [name, substituteIds(value, identity.applicationId)]));
}

/** Replaces placeholders of ids (Utils.substituteAppNExecIds). A driver has no executor ID. */
function substituteIds(value: string, applicationId: string): string {
  return value.replaceAll('{{APP_ID}}', applicationId).replaceAll('{{EXECUTOR_ID}}', '');
}
