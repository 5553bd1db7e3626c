/** More namespaces than these are counted together. */
const MAX_NAMESPACES = 1_000;
/** What is counted together, or is not known. */
export const OTHER = 'other';

/** The name that a namespace is counted by, given those that are counted already. */
export function namespaceLabel(known: ReadonlyMap<string, unknown>, namespace: string): string {
  return known.has(namespace) || known.size < MAX_NAMESPACES ? namespace : OTHER;
}
