import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';
/**
 * Name of the Lease of an operator; kubeflow's chart uses the same, so that the two exclude each
 * other.
 */
export const DEFAULT_LOCK = 'spark-operator-controller-lock';

/** Name of the operator as a client of the API server; see `writerOf`. */
export const OPERATOR_CLIENT = 'cdk8s-spark-operator';

/** Characters of a name that the API server keeps. */
const MAX_WRITER_LENGTH = 128;

/**
 * Returns the name under which the API server records the writes of an installation
 * (`managedFields`). Replicas that elect a leader have the same name, two installations different
 * ones, so that each notices the writes of the other. Without leader election, each process has a
 * name of its own.
 *
 * @param namespace namespace of the installation's Lease; undefined outside of a cluster
 * @param identity `lock`: the name of the Lease; `instance`: without one, the name of the Pod or
 * host
 */
export function writerOf(namespace: string | undefined, identity: { readonly lock: string } | { readonly instance: string }): string {
  // A cut name still identifies the process.
  const parts = 'instance' in identity ? [OPERATOR_CLIENT, identity.instance, namespace]
    : [OPERATOR_CLIENT, namespace, identity.lock === DEFAULT_LOCK ? undefined : identity.lock];
  return parts.filter((part) => part !== undefined).join('.').slice(0, MAX_WRITER_LENGTH);
}

/** Default name of an operator, from which the names of its objects are derived. */
export const OPERATOR_NAME = 'spark-operator';

/**
 * Returns the name of the ClusterRole for drivers, which an operator has that also runs
 * applications of namespaces that its flags do not name.
 * @internal
 */
export function driverClusterRole(namespace: string, name = OPERATOR_NAME): string {
  return `${name === OPERATOR_NAME ? DRIVER_SERVICE_ACCOUNT : name}-driver:${namespace}`;
}

/**
 * Returns the key of an installation among all of a cluster: its namespace, with the name of the
 * operator unless that is the default. Names of cluster-scoped objects and labels contain it.
 */
export function installationKey(namespace: string, name = OPERATOR_NAME): string {
  return name === OPERATOR_NAME ? namespace : `${name}.${namespace}`;
}
