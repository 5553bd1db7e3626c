import type { KubeObject } from '../../kube/objects';

/** Field manager of `sparkctl install`. */
export const FIELD_MANAGER = 'sparkctl';

const MANAGED_BY = 'app.kubernetes.io/managed-by';
/** Label with the namespace of the operator that an object belongs to. */
const INSTALLATION = 'sparkoperator.k8s.io/installation';

/** Adds the labels by which `sparkctl uninstall` finds an object. */
export function labelled<T extends KubeObject>(object: T, installation: string): T {
  const labels = { ...object.metadata.labels, [MANAGED_BY]: FIELD_MANAGER, [INSTALLATION]: installation };
  return { ...object, metadata: { ...object.metadata, labels } };
}

/**
 * Adds the label by which `sparkctl uninstall` finds an object that existed before, to report that
 * it stays.
 */
export function adopted<T extends KubeObject>(object: T, installation: string): T {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, [INSTALLATION]: installation } } };
}

/**
 * Returns the namespace of the operator for which `sparkctl install` created an object; undefined
 * if it did not create it.
 */
export function installationOf({ metadata: { labels = {} } }: KubeObject): string | undefined {
  return labels[MANAGED_BY] === FIELD_MANAGER ? labels[INSTALLATION] : undefined;
}

/** Returns whether `sparkctl install` created an object for the operator in this namespace. */
export function isInstalled(object: KubeObject, installation: string): boolean {
  return installationOf(object) === installation;
}

/**
 * Returns the label selector of the objects of an operator, including those that existed before.
 */
export function selectorOf(installation: string): string {
  return `${INSTALLATION}=${installation}`;
}
