import { createHash } from 'crypto';

const HASH_LENGTH = 8;

/** Kubernetes' limit for a name that is a DNS label. */
const MAX_DNS_LABEL_LENGTH = 63;

/**
 * Returns the name of an object named after its application: `<application>-<suffix>`, as in
 * kubeflow/spark-operator. By the same rule, a name of more than 63 characters is cut and gets a
 * hash. So does a name that is not valid for a Service, which has no dots and begins with a letter.
 * @internal
 */
export function objectName(kind: string, application: string, suffix: string): string {
  const name = `${application}-${suffix}`;
  if (name.length <= MAX_DNS_LABEL_LENGTH && (kind !== 'Service' || /^[a-z][a-z0-9-]*$/.test(name))) return name;
  // The hash is not for security; the names have to be equal to kubeflow's.
  const hash = createHash('md5').update(name).digest('hex').slice(0, HASH_LENGTH);
  const label = application.replaceAll('.', '-').replace(/^(?=[0-9])/, 'x');
  return `${label.slice(0, MAX_DNS_LABEL_LENGTH - suffix.length - HASH_LENGTH - 2)}-${hash}-${suffix}`;
}
