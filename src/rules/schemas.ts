import type { KindDefinition } from '../api/kind';
import { KINDS } from '../api/kinds';
import type { PodTemplateSchema } from './pod-template';
import type { Schema } from './schema';

/**
 * Returns the schema of a kind as the API server uses it.
 * @internal
 */
export function schemaOfKind(kind: KindDefinition): Schema {
  return (SCHEMAS[kind.kind] ??= withSpecsOfOthers(FILES[kind.singular]!()) as Schema);
}

/** Returns the schema of a kind's specification. @internal */
export function specSchema(kind: KindDefinition): Schema {
  return schemaOfKind(kind).properties!.spec!;
}

const SCHEMAS: Record<string, Schema> = {};

/** Replaces references to other kinds, `<singular>.spec`, by their schemas. */
function withSpecsOfOthers(value: any): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const other = KINDS.find(({ singular }) => value.$ref === `${singular}.spec`);
  if (other) return { ...schemaOfKind(other).properties!.spec, description: value.description };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withSpecsOfOthers(inner)]));
}

/**
 * Returns the schema of pod templates.
 * @internal
 */
export function podTemplateSchema(): PodTemplateSchema {
  return (podTemplate ??= FILES['pod-template']!() as PodTemplateSchema);
}

let podTemplate: PodTemplateSchema | undefined;

/* Bundlers include what is required by its name; Node reads the files of the package. */
/* eslint-disable @typescript-eslint/no-require-imports */
const FILES: { readonly [name: string]: () => unknown } = {
  'pod-template': () => require('../../schemas/pod-template.json'),
  'sparkapplication': () => require('../../schemas/sparkapplication.json'),
  'scheduledsparkapplication': () => require('../../schemas/scheduledsparkapplication.json'),
  'sparkconnect': () => require('../../schemas/sparkconnect.json'),
};
/* eslint-enable @typescript-eslint/no-require-imports */
