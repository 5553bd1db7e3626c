import type { ManifestObject } from './read';
import { SCHEDULED_SPARK_APPLICATION } from '../../api/scheduled-spark-application';
import { apiVersionOf, type KindDefinition } from '../../api/kind';
import { SPARK_APPLICATION } from '../../api/spark-application';
import { SPARK_CONNECT } from '../../api/spark-connect';
import { knownFields } from '../../rules/known-fields';
import type { KindName } from '../target';

const DEFINITIONS: Readonly<Record<KindName, KindDefinition>> = {
  application: SPARK_APPLICATION, schedule: SCHEDULED_SPARK_APPLICATION, connect: SPARK_CONNECT,
};

const KIND_NAMES = Object.keys(DEFINITIONS) as readonly KindName[];

/** Returns the definition of a kind. */
export function definitionOf(kind: KindName): KindDefinition {
  return DEFINITIONS[kind];
}

/** Previous API version, of the first operators of these kinds. */
export const OLD_API_VERSION = `${SPARK_APPLICATION.group}/v1beta1`;

/** API group of Apache's operator. */
export const APACHE_GROUP = 'spark.apache.org';

/** Returns the kind of an object in any version; undefined if it is not one of this package. */
export function manifestKind({ apiVersion, kind }: ManifestObject): KindName | undefined {
  if (typeof apiVersion !== 'string') return undefined;
  return KIND_NAMES.find((name) => DEFINITIONS[name].kind === kind
    && apiVersion.startsWith(`${DEFINITIONS[name].group}/`));
}

/** Returns the rest of a sentence about a wrong API version; undefined if the version is right. */
export function wrongVersion({ apiVersion }: ManifestObject, kind: KindName): string | undefined {
  const expected = apiVersionOf(DEFINITIONS[kind]);
  if (apiVersion === expected) return undefined;
  if (apiVersion === OLD_API_VERSION && kind !== 'connect') {
    return `must be ${expected}: \`sparkctl convert\` rewrites manifests of v1beta1`;
  }
  return `must be ${expected}: the fields of other versions are not known here`;
}

/** Reason why a command does not process an object. */
export interface Unprocessed {
  /** Error: every cluster rejects the object. Note: it is for another program. */
  readonly severity: 'error' | 'note';
  /** Path of the wrong field. @default - the whole object */
  readonly field?: string;
  /** Rest of a sentence that begins with the object. */
  readonly message: string;
}

/**
 * Returns why a command that processes some kinds does not process an object of another one.
 *
 * @param creates whether the command creates objects, as `sparkctl apply` does with all kinds
 */
export function unprocessed({ apiVersion, kind }: ManifestObject, kinds: readonly KindName[], creates: boolean): Unprocessed {
  const similar = KIND_NAMES.find((name) => DEFINITIONS[name].kind === kind);
  if (similar && (apiVersion === undefined || apiVersion === null)) {
    return { severity: 'error', field: 'apiVersion', message: `has no apiVersion; write ${apiVersionOf(DEFINITIONS[similar])}` };
  }
  const { group } = SPARK_APPLICATION;
  if (!similar && typeof apiVersion === 'string' && apiVersion.startsWith(`${group}/`)) {
    const known = knownFields(kind, KIND_NAMES.map(kindWord));
    return { severity: 'error', field: 'kind', message: `has a kind that ${group} does not have; ${known}` };
  }
  const reason = similar && kinds.includes(similar)
    ? `its apiVersion is ${String(apiVersion)}, not ${apiVersionOf(DEFINITIONS[similar])}`
      + (isApaches(apiVersion) ? '; `sparkctl convert` translates it' : '')
    : `it is no ${kinds.map(kindWord).join(' or ')}${similar && creates ? '; `sparkctl apply` takes it' : ''}`;
  return { severity: 'note', message: `is skipped, as ${reason}` };
}

/** Whether an API version is one of Apache's operator. */
export function isApaches(apiVersion: unknown): boolean {
  return typeof apiVersion === 'string' && apiVersion.startsWith(`${APACHE_GROUP}/`);
}

/** Returns the name of a kind in a sentence. */
export function kindWord(kind: KindName): string {
  return DEFINITIONS[kind].kind;
}
