import { createHash } from 'crypto';

const HASH_LENGTH = 8;

/** A name that is a DNS label is at most this long in Kubernetes. */
const MAX_DNS_LABEL_LENGTH = 63;

/**
 * The name of an object that is called after its application: `<application>-<suffix>`, as kubeflow/spark-operator names it. A name of more than 63
 * characters is cut and gets a hash, by the same rule. So does the name of a Service that would be none, as Services have no dots in their names, and
 * begin with a letter.
 * @internal
 */
export function objectName(kind: string, application: string, suffix: string): string {
  const name = `${application}-${suffix}`;
  if (name.length <= MAX_DNS_LABEL_LENGTH && (kind !== 'Service' || /^[a-z][a-z0-9-]*$/.test(name))) return name;
  // Not for security: the names have to be the same as kubeflow's.
  const hash = createHash('md5').update(name).digest('hex').slice(0, HASH_LENGTH);
  const label = application.replaceAll('.', '-').replace(/^(?=[0-9])/, 'x');
  return `${label.slice(0, MAX_DNS_LABEL_LENGTH - suffix.length - HASH_LENGTH - 2)}-${hash}-${suffix}`;
}
