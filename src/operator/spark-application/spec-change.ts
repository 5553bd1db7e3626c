import type { SparkApplicationSpec } from '../../api/spark-application';
import type { SparkApplication } from '../../model/spark-application';
import { hashOf } from '../../model/hash';

/** Fields that say nothing about what is run: a change of them does not run the application again. */
const WITHOUT_EFFECT_ON_RUN: ReadonlySet<string> = new Set<keyof SparkApplicationSpec>(['suspend', 'timeToLiveSeconds']);

/**
 * What stands for a specification in the status: 16 hexadecimal digits that change when it asks for something else to be run. The order of
 * the fields does not matter.
 */
export function specHash(spec: SparkApplicationSpec): string {
  return hashOf(Object.fromEntries(Object.entries(spec).filter(([field]) => !WITHOUT_EFFECT_ON_RUN.has(field))));
}

/**
 * Whether an application is to be run again because of its specification. Only after a write of its user: a new version of the CRD
 * that adds a default to all stored objects does not count.
 */
export function isSpecChanged(application: SparkApplication): boolean {
  const { metadata, status } = application;
  return status?.specHash !== undefined && metadata.generation !== status.observedGeneration && specHashOf(application) !== status.specHash;
}

/** Returns the hash of an application's specification, also if that is not kept. */
export function specHashOf({ spec, cut }: SparkApplication): string {
  return cut?.hash ?? specHash(spec as SparkApplicationSpec);
}
