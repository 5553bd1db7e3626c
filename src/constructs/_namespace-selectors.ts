import { Lazy } from 'cdk8s';

/**
 * How the job namespaces are found, as the operator does it.
 * @internal
 */
export interface JobNamespaceSelection {
  /** By name; more of them may come until the manifest is written. */
  readonly names: readonly string[];
  /** By labels, besides. */
  readonly labels?: { readonly [key: string]: string };
  /** All namespaces of the cluster. */
  readonly all: boolean;
}

/** Selects namespaces for what is asked at admission. */
interface NamespaceSelector {
  /** Tells names of objects apart: a selector that is not the only one needs an object of its own. */
  readonly suffix: string;
  readonly selector: object;
}

/** The API server gives each namespace its name as a label. */
const NAME = 'kubernetes.io/metadata.name';

/**
 * The label selectors that together find the job namespaces, each namespace once: a selector is an AND of what it says, and the operator takes namespaces
 * that have the name or the labels.
 * @internal
 */
export function namespaceSelectors({ names, labels, all }: JobNamespaceSelection): NamespaceSelector[] {
  if (all) return [{ suffix: '', selector: {} }];
  const named = { suffix: '', selector: { matchExpressions: [{ key: NAME, operator: 'In', values: Lazy.any({ produce: () => [...names] }) }] } };
  if (labels === undefined) return [named];
  const others = names.length > 0 ? { matchExpressions: [{ key: NAME, operator: 'NotIn', values: [...names] }] } : {};
  return [...(names.length > 0 ? [named] : []), { suffix: '-labelled', selector: { matchLabels: labels, ...others } }];
}
