import type { KubeObject } from '../../kube/objects';

/** Under this name the API server records what `sparkctl install` says of an object. */
export const FIELD_MANAGER = 'sparkctl';

const MANAGED_BY = 'app.kubernetes.io/managed-by';
/** The namespace of the operator that an object belongs to. */
const INSTALLATION = 'sparkoperator.k8s.io/installation';

/** An object with the labels by which `sparkctl uninstall` finds it. */
export function labelled<T extends KubeObject>(object: T, installation: string): T {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, [MANAGED_BY]: FIELD_MANAGER, [INSTALLATION]: installation } } };
}

/** An object of somebody else that an operator uses, with the label by which `sparkctl uninstall` finds it, to tell that it stays. */
export function adopted<T extends KubeObject>(object: T, installation: string): T {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, [INSTALLATION]: installation } } };
}

/** The namespace of the operator for which `sparkctl install` has made an object; undefined if it has not made it. */
export function installationOf({ metadata: { labels = {} } }: KubeObject): string | undefined {
  return labels[MANAGED_BY] === FIELD_MANAGER ? labels[INSTALLATION] : undefined;
}

/** Whether an object was made by `sparkctl install`, for an operator in this namespace. */
export function isInstalled(object: KubeObject, installation: string): boolean {
  return installationOf(object) === installation;
}

/** Selects what was made for an operator in this namespace, and what it uses of others. */
export function selectorOf(installation: string): string {
  return `${INSTALLATION}=${installation}`;
}
