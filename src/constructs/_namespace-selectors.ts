import { Lazy } from 'cdk8s';
import { fulfils, type LabelRequirement } from '../rules/label-selector';

/**
 * Job namespaces, selected as the operator does it.
 * @internal
 */
export interface JobNamespaceSelection {
  /** By name; more can be added until synthesis. */
  readonly names: readonly string[];
  /** Also by labels. */
  readonly labels?: { readonly [key: string]: string };
  /** Also by requirements for labels, together with `labels`. */
  readonly requirements?: readonly LabelRequirement[];
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
export function namespaceSelectors({ names, labels, requirements = [], all }: JobNamespaceSelection): NamespaceSelector[] {
  if (all) return [{ suffix: '', selector: {} }];
  const named = {
    suffix: '', selector: { matchExpressions: [{ key: NAME, operator: 'In', values: Lazy.any({ produce: () => [...names] }) }] },
  };
  if (labels === undefined && requirements.length === 0) return [named];
  const expressions = [...requirements, ...(names.length > 0 ? [{ key: NAME, operator: 'NotIn', values: [...names] }] : [])];
  const selector = { ...(labels && { matchLabels: labels }), ...(expressions.length > 0 && { matchExpressions: expressions }) };
  return [...(names.length > 0 ? [named] : []), { suffix: '-labelled', selector }];
}

/**
 * Returns the labels that each selected namespace has.
 * @internal
 */
export function requiredLabels({ labels, requirements = [] }: JobNamespaceSelection): { readonly [key: string]: string } {
  const single = requirements.filter(({ operator, values }) => operator === 'In' && values!.length === 1);
  return { ...Object.fromEntries(single.map(({ key, values }) => [key, values![0]!])), ...labels };
}

/**
 * Returns the requirements of a selection that a namespace with these labels does not fulfil.
 * @internal
 */
export function unfulfilled(
  { requirements = [] }: JobNamespaceSelection, labels: { readonly [key: string]: string },
): readonly LabelRequirement[] {
  return requirements.filter((requirement) => !fulfils(labels, requirement));
}
