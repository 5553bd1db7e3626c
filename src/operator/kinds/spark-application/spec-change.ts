import type { SparkApplicationSpec } from '../../../api/spark-application';
import type { SparkApplication } from '../../../model/spark-application';
import { hashOf } from '../../../model/hash';

/** Fields that do not affect the run: a change of them does not run the application again. */
const WITHOUT_EFFECT_ON_RUN: ReadonlySet<string> = new Set<keyof SparkApplicationSpec>(['suspend', 'timeToLiveSeconds']);

/**
 * Returns a specification's hash for the status: 16 hexadecimal digits that change when the
 * specification asks for a different run. The order of the fields does not matter.
 */
export function specHash(spec: SparkApplicationSpec): string {
  return hashOf(Object.fromEntries(Object.entries(spec).filter(([field]) => !WITHOUT_EFFECT_ON_RUN.has(field))));
}

/**
 * Whether a changed specification requires a new run of the application. Only a user's write
 * requires it: a new version of the CRD that adds a default to all stored objects does not.
 */
export function isSpecChanged(application: SparkApplication): boolean {
  const { metadata, status } = application;
  return status?.specHash !== undefined && metadata.generation !== status.observedGeneration && specHashOf(application) !== status.specHash;
}

/**
 * Returns the hash of an application's specification, even if the specification is not kept in
 * memory.
 */
export function specHashOf({ spec, cut }: SparkApplication): string {
  return cut?.hash ?? specHash(spec as SparkApplicationSpec);
}
