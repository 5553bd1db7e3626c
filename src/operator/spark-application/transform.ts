import type { SparkApplicationSpec } from '../../api/spark-application';
import { keptOf, type CutRules } from '../large-spec';
import { readWhole, type Reader } from '../read-whole';
import { SPARK_APPLICATIONS } from '../resources';
import { oversizedParts } from '../submission/refuse-oversized';
import { factsOf, numbersOf, type SpecFacts } from '../submission/spec-facts';
import { isWhole, type SparkApplication, type WholeApplication } from './model';
import { statusWriters } from './other-operator';
import { specHash } from './spec-change';

const CUT: CutRules<SparkApplicationSpec, SpecFacts> = { facts: factsOf, numbers: numbersOf, hash: specHash, oversized: oversizedParts };

/**
 * Cuts an application on arrival to what is kept in memory, with all that is read of its
 * managedFields: who has written to the status.
 *
 * @param before the application as it was kept before
 */
export function transform(application: WholeApplication, before?: SparkApplication): SparkApplication {
  return { ...keptOf(application, before, CUT), statusWriters: statusWriters(application.metadata) };
}

/**
 * Reads the whole application from the API server if its specification is not kept. The status is
 * that of the given one.
 */
export async function wholeOf(application: SparkApplication, reader: Reader): Promise<WholeApplication> {
  if (isWhole(application)) return application;
  const { metadata, spec } = await readWhole(reader, SPARK_APPLICATIONS, application);
  return { ...application, metadata, spec, cut: undefined };
}
