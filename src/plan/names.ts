/** The maximum length of a label value, and of a name that is a DNS label, in Kubernetes. */
export const MAX_DNS_LABEL_LENGTH = 63;

/** Spark's suffix for the name of the driver's Service (DriverServiceFeatureStep). */
export const DRIVER_SERVICE_SUFFIX = '-driver-svc';

/** The longest prefix with which the Service's name is still a DNS label. */
const MAX_PREFIX_LENGTH = MAX_DNS_LABEL_LENGTH - DRIVER_SERVICE_SUFFIX.length;

/**
 * Returns the prefix of the names of an application's objects: an id after the application's name,
 * made a DNS label by Spark's rule (KubernetesConf.getResourceNamePrefix). Unlike Spark's, the name
 * is cut, so Spark's meaningless fallback is never needed. The id is never cut.
 *
 * @param applicationName any text
 * @param id lower-case letters and digits, at most 32, unique for the submission
 */
export function resourceNamePrefix(applicationName: string, id: string): string {
  const room = MAX_PREFIX_LENGTH - id.length - 1;
  const name = dashed(applicationName).replace(/^-/, '').slice(0, room);
  return dashed(`${name}-${id}`).replace(/^-/, '').replace(/^[0-9]/, 'x');
}

/** Returns the value of the label `spark-app-name` (KubernetesConf.getAppNameLabel). */
export function applicationNameLabel(applicationName: string): string {
  return dashed(applicationName).slice(0, MAX_DNS_LABEL_LENGTH).replace(/^-/, '').replace(/-$/, '');
}

/** Converts to lower case, replaces invalid characters by dashes and collapses dashes. */
function dashed(text: string): string {
  return text.trim().toLowerCase().replace(/[^a-z0-9-]/g, '-').replace(/-+/g, '-');
}
