import { SPARK_APPLICATION } from '../../api/spark-application';
import { partialSchema, partialSpecViolations, type PartialSpecUse } from './partial-spec';
import { podTemplateSchema, specSchema } from '../../rules/schemas';
import type { Schema } from '../../rules/schema';
import { violations } from '../../rules/validate';
import type { Problem } from '../../model/problem';
import type { PartialSpec } from './layer';

let partialSpec: Schema | undefined;

/**
 * Returns the problems of a partial specification. The paths begin with its fields, such as
 * `driver.memory`.
 */
export function partialViolations(spec: PartialSpec, use: PartialSpecUse): Problem[] {
  return partialSpecViolations(partialSpec ??= partialSchema(specSchema(SPARK_APPLICATION)), podTemplateSchema(), spec, use, '');
}

/** Returns the violations for which the API server would reject a whole specification. */
export function specViolations(spec: object): Problem[] {
  return violations(specSchema(SPARK_APPLICATION), spec, 'spec');
}
