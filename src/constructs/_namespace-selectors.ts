import { Lazy } from 'cdk8s';

/**
 * Job namespaces, selected as the operator does it.
 * @internal
 */
export interface JobNamespaceSelection {
  /** By name; more can be added until synthesis. */
  readonly names: readonly string[];
  /** Also by labels. */
  readonly labels?: { readonly [key: string]: string };
  /** All namespaces of the cluster. */
  readonly all: boolean;
}

/** Namespaces for an admission check. */
interface NamespaceSelector {
  /** Suffix for the name of the object: with several selectors, each needs its own object. */
  readonly suffix: string;
  readonly selector: object;
}

/** Label with the name of a namespace, which the API server sets. */
const NAME = 'kubernetes.io/metadata.name';

/**
 * Returns the label selectors that together match each job namespace once. The requirements of one
 * selector are combined with AND, but the operator takes namespaces with the name or the labels.
 * @internal
 */
export function namespaceSelectors({ names, labels, all }: JobNamespaceSelection): NamespaceSelector[] {
  if (all) return [{ suffix: '', selector: {} }];
  const named = {
    suffix: '', selector: { matchExpressions: [{ key: NAME, operator: 'In', values: Lazy.any({ produce: () => [...names] }) }] },
  };
  if (labels === undefined) return [named];
  const others = names.length > 0 ? { matchExpressions: [{ key: NAME, operator: 'NotIn', values: [...names] }] } : {};
  return [...(names.length > 0 ? [named] : []), { suffix: '-labelled', selector: { matchLabels: labels, ...others } }];
}
