/** Maximum number of namespaces with their own series; further ones share one. */
const MAX_NAMESPACES = 1_000;
/** Label value of further namespaces and unknown values. */
export const OTHER = 'other';

/** Returns the label value of a namespace, given the existing ones. */
export function namespaceLabel(known: ReadonlyMap<string, unknown>, namespace: string): string {
  return known.has(namespace) || known.size < MAX_NAMESPACES ? namespace : OTHER;
}
