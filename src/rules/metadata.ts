import { isDnsLabel, isLabelKey, isLabelValue, isSubdomain } from './names';
import type { Problem } from '../model/problem';

/** The parts of an object's metadata that are checked. @internal */
export interface Metadata {
  readonly namespace?: string;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
}

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
  } else if (!isSubdomain(name)) {
    add('name', name, "must be made of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit");
  }
  if (namespace !== undefined && !isDnsLabel(namespace)) {
    add('namespace', namespace, "must be made of lower-case letters, digits and '-', at most 63, and begin and end with a letter or digit");
  }
  for (const [key, value] of Object.entries(labels ?? {})) {
    const path = `labels[${key}]`;
    if (!isLabelKey(key)) add(path, undefined, 'is not the name of a label, such as team or example.org/team');
    if (typeof value !== 'string') {
      add(path, value, 'must be a string, in quotes');
    } else if (!isLabelValue(value)) {
      add(path, value, "must have at most 63 letters, digits, '-', '_' and '.', and begin and end with a letter or digit");
    }
  }
  for (const [key, value] of Object.entries(annotations ?? {})) {
    const path = `annotations[${key}]`;
    if (!isLabelKey(key.toLowerCase())) add(path, undefined, 'is not the name of an annotation, such as team or example.org/team');
    if (typeof value !== 'string') add(path, value, 'must be a string, in quotes');
  }
  return found;
}

/**
 * Checks labels; undefined is valid.
 * @internal
 */
export function wrongLabels(prop: string, labels: { readonly [key: string]: string } | undefined): Problem[] {
  return metadataViolations('x', { labels }).map((violation) => ({ ...violation, path: violation.path.replace('metadata.labels', prop) }));
}
