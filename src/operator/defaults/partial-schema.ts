import schema from '../../../schemas/sparkapplication.json';
import podTemplate from '../../../schemas/pod-template.json';
import { type PodTemplateSchema, podTemplateViolations } from '../../validation/pod-template';
import type { Schema } from '../../validation/schema';
import { type Violation, violations } from '../../validation/validate';
import type { PartialSpec } from './layer';

/** The schema of a specification, that of the CRD. */
export const SPEC_SCHEMA: Schema = (schema as unknown as Schema).properties!.spec!;

/** What pod templates are made of, which the CRD leaves open. */
const POD_TEMPLATE = podTemplate as unknown as PodTemplateSchema;

/** The roles, which both have a template. */
const ROLES = ['driver', 'executor'] as const;

/**
 * A schema of which nothing needs to be there: the rest comes from the application. Rules about several fields are left out, too, as they
 * are held when all is together. What is in lists is whole.
 */
function partial({ required: _, 'x-kubernetes-validations': rules, ...whole }: Schema): Schema {
  if (!whole.properties) return { ...whole, ...(rules && { 'x-kubernetes-validations': rules }) };
  return { ...whole, properties: Object.fromEntries(Object.entries(whole.properties).map(([name, field]) => [name, partial(field)])) };
}

let partialSpecSchema: Schema | undefined;

/** What is wrong in a part of a specification. The paths begin with its fields, such as `driver.memory`. */
export function partialSpecViolations(spec: PartialSpec): Violation[] {
  return [
    ...violations(partialSpecSchema ??= partial(SPEC_SCHEMA), spec, '').map(withoutDot),
    ...ROLES.flatMap((role) => podTemplateViolations(POD_TEMPLATE, templateOf(spec, role), `${role}.template`)),
  ];
}

/** What the API server would refuse in a whole specification. */
export function specViolations(spec: object): Violation[] {
  return violations(SPEC_SCHEMA, spec, 'spec');
}

function withoutDot(violation: Violation): Violation {
  return { ...violation, path: violation.path.replace(/^\./, '') };
}

function templateOf(spec: PartialSpec, role: string): unknown {
  return (spec[role] as Record<string, unknown> | undefined)?.template ?? {};
}
