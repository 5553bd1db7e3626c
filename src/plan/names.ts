/** A label value, and a name that is a DNS label, is at most this long in Kubernetes. */
export const MAX_DNS_LABEL_LENGTH = 63;

/** What Spark appends to the prefix for the name of the driver's Service (DriverServiceFeatureStep). */
export const DRIVER_SERVICE_SUFFIX = '-driver-svc';

/** The longest prefix with which the Service's name is still a DNS label. */
const MAX_PREFIX_LENGTH = MAX_DNS_LABEL_LENGTH - DRIVER_SERVICE_SUFFIX.length;

/**
 * What the names of an application's objects start with: the application's name, made a DNS label by Spark's rule
 * (KubernetesConf.getResourceNamePrefix), and an id. Unlike Spark's, it is cut, so that Spark's fallback to a name that
 * says nothing is never needed. The id is never cut.
 *
 * @param applicationName any text
 * @param id lower-case letters and digits, at most 32, that tell this submission from all others
 */
export function resourceNamePrefix(applicationName: string, id: string): string {
  const room = MAX_PREFIX_LENGTH - id.length - 1;
  const name = dashed(applicationName).replace(/^-/, '').slice(0, room);
  return dashed(`${name}-${id}`).replace(/^-/, '').replace(/^[0-9]/, 'x');
}

/** The value of the label `spark-app-name` (KubernetesConf.getAppNameLabel). */
export function applicationNameLabel(applicationName: string): string {
  return dashed(applicationName).slice(0, MAX_DNS_LABEL_LENGTH).replace(/^-/, '').replace(/-$/, '');
}

/** Lower case; what a DNS label cannot hold becomes a dash; no two dashes in a row. */
function dashed(text: string): string {
  return text.trim().toLowerCase().replace(/[^a-z0-9-]/g, '-').replace(/-+/g, '-');
}
