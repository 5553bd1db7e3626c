import type { SparkApplicationSpec } from '../../../api/spark-application';
import { largeSpecs } from '../../large-spec';
import { SPARK_APPLICATIONS } from '../../../model/resources';
import { oversizedParts } from '../../../plan/oversized';
import { factsOf, numbersOf, type SpecFacts } from '../../../model/spec-facts';
import type { SparkApplication, WholeApplication } from '../../../model/spark-application';
import { statusWriters } from '../../../model/status-writers';
import { specHash } from './spec-change';

const LARGE = largeSpecs<SparkApplicationSpec, SpecFacts, WholeApplication, SparkApplication>({
  resource: SPARK_APPLICATIONS, facts: factsOf, numbers: numbersOf, hash: specHash, oversized: oversizedParts,
});

export const { oversizedReason, wholeOf } = LARGE;

/**
 * Reduces an application on arrival to the fields that are kept in memory. From its managedFields
 * it keeps who has written to the status.
 *
 * @param before previous version in memory
 */
export function transform(application: WholeApplication, before?: SparkApplication): SparkApplication {
  return { ...LARGE.transform(application, before), statusWriters: statusWriters(application.metadata) };
}
