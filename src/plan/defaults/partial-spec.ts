import { PodTemplateSchema, podTemplateViolations } from '../../rules/pod-template';
import type { Schema } from '../../rules/schema';
import { violations } from '../../rules/validate';
import { Problem } from '../../model/problem';

/** Use of a partial specification for many applications: as defaults, or as enforced values. */
export type PartialSpecUse = 'defaults' | 'enforced';

/** A partial specification as written. */
export interface PartialSpecFields {
  readonly [field: string]: unknown;
}

/**
 * Returns a schema without required fields, as the application has the rest. It also omits rules
 * about several fields, which are checked for the complete specification. Entries of lists are
 * complete.
 */
export function partialSchema({ required: _, 'x-kubernetes-validations': rules, ...whole }: Schema): Schema {
  if (!whole.properties) return { ...whole, ...(rules && { 'x-kubernetes-validations': rules }) };
  const properties = Object.entries(whole.properties).map(([name, field]) => [name, partialSchema(field)]);
  return { ...whole, properties: Object.fromEntries(properties) };
}

/**
 * Returns the faults of a partial specification for many applications.
 *
 * @param schema schema of the part, see `partialSchema`
 * @param path prefix of the paths of violations; can be empty
 */
export function partialSpecViolations(
  schema: Schema, podTemplate: PodTemplateSchema, fields: PartialSpecFields, use: PartialSpecUse, path: string,
): Problem[] {
  return [
    ...violations(schema, fields, path),
    ...ROLES.flatMap((role) => podTemplateViolations(podTemplate, at(fields, `${role}.template`) ?? {}, `${path}.${role}.template`)),
    ...(use === 'defaults' ? [...INDIVIDUAL_FIELDS, ...REQUIRED_FIELDS] : INDIVIDUAL_FIELDS).flatMap(([field, reason]) => (
      at(fields, field) === undefined ? [] : [{ path: `${path}.${field}`, value: undefined, reason }]
    )),
  ].map((violation) => ({ ...violation, path: violation.path.replace(/^\./, '') }));
}

/** Roles with a template. */
const ROLES = ['driver', 'executor'] as const;

/** Fields that cannot have the same value for all applications. */
const INDIVIDUAL_FIELDS: readonly (readonly [path: string, reason: string])[] = [
  ['suspend', 'cannot be set for all applications: whether one is held back is its own matter; remove it'],
  ['driver.podName', 'cannot be the same for all applications: no two Pods of a namespace have one name; remove it'],
];

/** Fields that every application has, so that a default would never apply. */
const REQUIRED_FIELDS = ['type', 'sparkVersion', 'mainApplicationFile'].map((path) => (
  [path, 'has no effect here, as each application must set it; remove it, or move it to the enforced values'] as const
));

function at(fields: PartialSpecFields, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as PartialSpecFields | undefined)?.[name], fields);
}
