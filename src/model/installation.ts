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
 * (`managedFields`). Replicas of an installation have the same name, two installations different
 * ones, so that each notices the writes of the other.
 *
 * @param namespace namespace of the installation's Lease; undefined outside of a cluster
 * @param lock name of the Lease
 */
export function writerOf(namespace: string | undefined, lock: string): string {
  const parts = [OPERATOR_CLIENT, namespace, lock === DEFAULT_LOCK ? undefined : lock];
  return parts.filter((part) => part !== undefined).join('.').slice(0, MAX_WRITER_LENGTH);
}
