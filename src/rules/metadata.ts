import type { Violation } from '../model/problem';

/**
 * What is looked at of an object's metadata.
 * @internal
 */
export interface Metadata {
  readonly namespace?: string;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
}

const MAX_PREFIX = 253;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const LABEL = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/**
 * How long a name may be, and why, as the rest of a sentence.
 * @internal
 */
export interface NameLimit {
  readonly length: number;
  readonly reason: string;
}

const OF_PODS: NameLimit = { length: 63, reason: 'as it becomes a label of the pods' };

/**
 * What Kubernetes asks of names, labels and annotations, and that the name becomes the label of every pod, or what else of it limits its length.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 * @internal
 */
export function metadataViolations(name: string, { namespace, labels, annotations }: Metadata = {}, limit: NameLimit = OF_PODS): Violation[] {
  const found: Violation[] = [];
  const add = (path: string, value: unknown, reason: string) => found.push({ path: `metadata.${path}`, value, reason });
  if (name.length > limit.length) add('name', name, `must have at most ${limit.length} characters, ${limit.reason}; it has ${name.length}`);
  else if (!SUBDOMAIN.test(name)) add('name', name, "must be made of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit");
  if (namespace !== undefined && !NAMESPACE.test(namespace)) {
    add('namespace', namespace, "must be made of lower-case letters, digits and '-', at most 63, and begin and end with a letter or digit");
  }
  for (const [key, value] of Object.entries(labels ?? {})) {
    if (!isQualifiedName(key)) add(`labels[${JSON.stringify(key)}]`, undefined, 'is not the name of a label, such as team or example.org/team');
    if (typeof value !== 'string') add(`labels[${JSON.stringify(key)}]`, value, 'must be a string, in quotes');
    else if (value !== '' && !LABEL.test(value)) add(`labels[${JSON.stringify(key)}]`, value, "must have at most 63 letters, digits, '-', '_' and '.', and begin and end with a letter or digit");
  }
  for (const [key, value] of Object.entries(annotations ?? {})) {
    if (!isQualifiedName(key.toLowerCase())) add(`annotations[${JSON.stringify(key)}]`, undefined, 'is not the name of an annotation, such as team or example.org/team');
    if (typeof value !== 'string') add(`annotations[${JSON.stringify(key)}]`, value, 'must be a string, in quotes');
  }
  return found;
}

/** `name` or `prefix/name`. */
function isQualifiedName(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return LABEL.test(key);
  return slash <= MAX_PREFIX && SUBDOMAIN.test(key.slice(0, slash)) && LABEL.test(key.slice(slash + 1));
}
