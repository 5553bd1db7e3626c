import type { SparkApplicationSpec } from '../../../api/spark-application';
import { largeSpecs } from '../../large-spec';
import { SPARK_APPLICATIONS } from '../../../model/resources';
import { oversizedParts } from '../../../plan/oversized';
import { factsOf, numbersOf, type SpecFacts } from '../../../model/spec-facts';
import type { SparkApplication, WholeApplication } from '../../../model/spark-application';
import { specHash } from './spec-change';

export const { transform, oversizedReason, wholeOf } = largeSpecs<SparkApplicationSpec, SpecFacts, WholeApplication, SparkApplication>({
  resource: SPARK_APPLICATIONS, facts: factsOf, numbers: numbersOf, hash: specHash, oversized: oversizedParts,
});
