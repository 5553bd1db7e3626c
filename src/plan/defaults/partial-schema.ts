import schema from '../../../schemas/sparkapplication.json';
import podTemplate from '../../../schemas/pod-template.json';
import { partialSchema, partialSpecViolations, type PartialSpecUse } from './partial-spec';
import type { PodTemplateSchema } from '../../rules/pod-template';
import type { Schema } from '../../rules/schema';
import { violations } from '../../rules/validate';
import type { Problem } from '../../model/problem';
import type { PartialSpec } from './layer';

/** The schema of a specification, that of the CRD. */
export const SPEC_SCHEMA: Schema = (schema as unknown as Schema).properties!.spec!;

/** What pod templates are made of, which the CRD leaves open. */
const POD_TEMPLATE = podTemplate as unknown as PodTemplateSchema;

let partialSpec: Schema | undefined;

/** What is wrong in a part of a specification. The paths begin with its fields, such as `driver.memory`. */
export function partialViolations(spec: PartialSpec, use: PartialSpecUse): Problem[] {
  return partialSpecViolations(partialSpec ??= partialSchema(SPEC_SCHEMA), POD_TEMPLATE, spec, use, '');
}

/** What the API server would refuse in a whole specification. */
export function specViolations(spec: object): Problem[] {
  return violations(SPEC_SCHEMA, spec, 'spec');
}
