import { valueOf } from '../../flags/command-line';
import type { NamespaceSelection } from '../../flags/configuration';
import { areDisjoint, parseSelector } from '../../rules/label-selector';

/**
 * Parses the selected namespaces from an operator's command line. This operator and kubeflow's have
 * the same flags.
 */
export function selectionIn(args: readonly string[]): NamespaceSelection {
  const selector = valueOf(args, 'namespace-selector') || undefined;
  const flag = valueOf(args, 'namespaces');
  // kubeflow's chart writes an empty name, which selects all, as two quotation marks.
  const names = flag?.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  if (names === undefined) return selector === undefined ? { names: 'all' } : { names: [], selector };
  return { names: names.includes('') ? 'all' : names, ...(selector !== undefined && { selector }) };
}

/**
 * Overlap of two operators: certain in some namespaces, dependent on labels of namespaces, or none.
 */
export type Overlap = { readonly kind: 'sure'; readonly where: string } | { readonly kind: 'by labels' } | { readonly kind: 'none' };

/** Returns the overlap of two operators' namespaces. */
export function overlapOf(one: NamespaceSelection, other: NamespaceSelection): Overlap {
  if (one.names === 'all' || other.names === 'all') {
    const names = [one, other].flatMap((each) => (each.names === 'all' ? [] : each.names));
    return { kind: 'sure', where: names.length > 0 ? names.join(', ') : 'all namespaces that either of them selects' };
  }
  const theirs = other.names;
  const both = one.names.filter((name) => theirs.includes(name));
  if (both.length > 0) return { kind: 'sure', where: both.join(', ') };
  if (one.selector !== undefined && one.selector === other.selector) return { kind: 'sure', where: `the namespaces with ${one.selector}` };
  // A namespace that one operator has by its name might have the labels of the other one.
  const selectors = [one.selector, other.selector].filter((selector) => selector !== undefined);
  const named = [...(one.selector === undefined ? [] : theirs), ...(other.selector === undefined ? [] : one.names)];
  return { kind: named.length === 0 && (selectors.length < 2 || selectDisjoint(selectors[0]!, selectors[1]!)) ? 'none' : 'by labels' };
}

function selectDisjoint(one: string, other: string): boolean {
  const [ours, theirs] = [parseSelector(one), parseSelector(other)];
  return typeof ours !== 'string' && typeof theirs !== 'string' && areDisjoint(ours, theirs);
}
