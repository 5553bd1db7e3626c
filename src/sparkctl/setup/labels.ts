import type { KubeObject } from '../../kube/objects';

/** Under this name the API server records what `sparkctl install` says of an object. */
export const FIELD_MANAGER = 'sparkctl';

const MANAGED_BY = 'app.kubernetes.io/managed-by';
/** The namespace of the operator that an object belongs to. */
const INSTALLATION = 'sparkoperator.k8s.io/installation';

/** An object with the labels by which `sparkctl uninstall` finds it. */
export function labelled<T extends KubeObject>(object: T, installation: string): T {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labelsOf(installation) } } };
}

/** Whether an object was made by `sparkctl install`, for an operator in this namespace. */
export function isInstalled({ metadata: { labels = {} } }: KubeObject, installation: string): boolean {
  return Object.entries(labelsOf(installation)).every(([name, value]) => labels[name] === value);
}

/** Selects what was made for an operator in this namespace. */
export function selectorOf(installation: string): string {
  return Object.entries(labelsOf(installation)).map(([name, value]) => `${name}=${value}`).join(',');
}

function labelsOf(installation: string): Record<string, string> {
  return { [MANAGED_BY]: FIELD_MANAGER, [INSTALLATION]: installation };
}
