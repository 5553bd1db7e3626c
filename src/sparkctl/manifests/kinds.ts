import type { ManifestObject } from './read';
import { SCHEDULED_SPARK_APPLICATION } from '../../api/scheduled-spark-application';
import { apiVersionOf, type KindDefinition } from '../../api/kind';
import { SPARK_APPLICATION } from '../../api/spark-application';
import { SPARK_CONNECT } from '../../api/spark-connect';
import type { KindName } from '../target';

const DEFINITIONS: Readonly<Record<KindName, KindDefinition>> = {
  application: SPARK_APPLICATION, schedule: SCHEDULED_SPARK_APPLICATION, connect: SPARK_CONNECT,
};

/** Returns the definition of a kind. */
export function definitionOf(kind: KindName): KindDefinition {
  return DEFINITIONS[kind];
}

/** Previous API version, of the first operators of these kinds. */
export const OLD_API_VERSION = `${SPARK_APPLICATION.group}/v1beta1`;

/** Returns the kind of an object in any version; undefined if it is not one of this package. */
export function manifestKind({ apiVersion, kind }: ManifestObject): KindName | undefined {
  if (typeof apiVersion !== 'string') return undefined;
  return (Object.keys(DEFINITIONS) as KindName[]).find((name) => DEFINITIONS[name].kind === kind
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

/** Returns the name of a kind in a sentence. */
export function kindWord(kind: KindName): string {
  return DEFINITIONS[kind].kind;
}
