import { PodTemplateSchema, podTemplateViolations } from '../../rules/pod-template';
import type { Schema } from '../../rules/schema';
import { violations } from '../../rules/validate';
import { Violation } from '../../model/problem';

/** A part of a specification that counts for many applications: a default of theirs, or what is enforced. */
export type PartialSpecUse = 'defaults' | 'enforced';

/** A part of a specification, as it is written. */
export interface PartialSpecFields {
  readonly [field: string]: unknown;
}

/**
 * A schema of which nothing needs to be there: the rest comes from the application. Rules about several fields are left out, too, as they
 * are held when all is together. What is in lists is whole.
 */
export function partialSchema({ required: _, 'x-kubernetes-validations': rules, ...whole }: Schema): Schema {
  if (!whole.properties) return { ...whole, ...(rules && { 'x-kubernetes-validations': rules }) };
  return { ...whole, properties: Object.fromEntries(Object.entries(whole.properties).map(([name, field]) => [name, partialSchema(field)])) };
}

/**
 * What is wrong in a part of a specification for many applications.
 *
 * @param schema of the part, see `partialSchema`
 * @param path what the paths of violations begin with; may be empty
 */
export function partialSpecViolations(schema: Schema, podTemplate: PodTemplateSchema, fields: PartialSpecFields, use: PartialSpecUse, path: string): Violation[] {
  return [
    ...violations(schema, fields, path),
    ...ROLES.flatMap((role) => podTemplateViolations(podTemplate, at(fields, `${role}.template`) ?? {}, `${path}.${role}.template`)),
    ...(use === 'defaults' ? [...NOT_FOR_ALL, ...SAID_BY_ALL] : NOT_FOR_ALL).flatMap(([field, reason]) => (
      at(fields, field) === undefined ? [] : [{ path: `${path}.${field}`, value: undefined, reason }]
    )),
  ].map((violation) => ({ ...violation, path: violation.path.replace(/^\./, '') }));
}

/** The roles, which both have a template. */
const ROLES = ['driver', 'executor'] as const;

/** Fields that cannot be the same for all applications. */
const NOT_FOR_ALL: readonly (readonly [path: string, reason: string])[] = [
  ['suspend', 'cannot be set for all applications: whether one is held back is its own matter; remove it'],
  ['driver.podName', 'cannot be the same for all applications: no two Pods of a namespace have one name; remove it'],
];

/** Fields that every application has, so that a default for them would never count. */
const SAID_BY_ALL = ['type', 'sparkVersion', 'mainApplicationFile'].map((path) => (
  [path, 'has no effect here, as each application has to say it; remove it, or move it to what is enforced'] as const
));

function at(fields: PartialSpecFields, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as PartialSpecFields | undefined)?.[name], fields);
}
