import type { Problem } from '../model/problem';

/** The parts of an object's metadata that are checked. @internal */
export interface Metadata {
  readonly namespace?: string;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
}

const MAX_PREFIX = 253;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const LABEL = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Maximum length of a name, and the reason for it as the rest of a sentence. @internal */
export interface NameLimit {
  readonly length: number;
  readonly reason: string;
}

const POD_LABEL_LIMIT: NameLimit = { length: 63, reason: 'as it becomes a label of the pods' };

/**
 * Checks Kubernetes' rules for names, labels and annotations. Also checks the maximum length of the
 * name: by default that of a label, as the name becomes a label of every pod.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 * @internal
 */
export function metadataViolations(
  name: string, { namespace, labels, annotations }: Metadata = {}, limit: NameLimit = POD_LABEL_LIMIT,
): Problem[] {
  const found: Problem[] = [];
  const add = (path: string, value: unknown, reason: string) => found.push({ path: `metadata.${path}`, value, reason });
  if (name.length > limit.length) {
    add('name', name, `must have at most ${limit.length} characters, ${limit.reason}; it has ${name.length}`);
  } else if (!SUBDOMAIN.test(name)) {
    add('name', name, "must be made of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit");
  }
  if (namespace !== undefined && !NAMESPACE.test(namespace)) {
    add('namespace', namespace, "must be made of lower-case letters, digits and '-', at most 63, and begin and end with a letter or digit");
  }
  for (const [key, value] of Object.entries(labels ?? {})) {
    const path = `labels[${key}]`;
    if (!isQualifiedName(key)) add(path, undefined, 'is not the name of a label, such as team or example.org/team');
    if (typeof value !== 'string') {
      add(path, value, 'must be a string, in quotes');
    } else if (value !== '' && !LABEL.test(value)) {
      add(path, value, "must have at most 63 letters, digits, '-', '_' and '.', and begin and end with a letter or digit");
    }
  }
  for (const [key, value] of Object.entries(annotations ?? {})) {
    const path = `annotations[${key}]`;
    if (!isQualifiedName(key.toLowerCase())) add(path, undefined, 'is not the name of an annotation, such as team or example.org/team');
    if (typeof value !== 'string') add(path, value, 'must be a string, in quotes');
  }
  return found;
}

/** Whether a key has the form `name` or `prefix/name`. */
function isQualifiedName(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return LABEL.test(key);
  return slash <= MAX_PREFIX && SUBDOMAIN.test(key.slice(0, slash)) && LABEL.test(key.slice(slash + 1));
}
