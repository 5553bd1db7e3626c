import { readFileSync } from 'fs';
import { join } from 'path';
import type { KindDefinition } from '../api/kind';
import { KINDS } from '../api/kinds';
import type { PodTemplateSchema } from './pod-template';
import type { Schema } from './schema';

/**
 * Path of the shipped file with the CRD of a kind.
 * @internal
 */
export function crdFile(kind: KindDefinition): string {
  return join(__dirname, '..', '..', 'crds', `${kind.group}_${kind.plural}.yaml`);
}

/**
 * Returns the schema of a kind as the API server uses it.
 * @internal
 */
export function schemaOfKind(kind: KindDefinition): Schema {
  const cached = SCHEMAS.get(kind.kind);
  if (cached) return cached;
  const schema = withSpecsOfOthers(readSchema(kind.singular)) as Schema;
  SCHEMAS.set(kind.kind, schema);
  return schema;
}

/** Returns the schema of a kind's specification. @internal */
export function specSchema(kind: KindDefinition): Schema {
  return schemaOfKind(kind).properties!.spec!;
}

const SCHEMAS = new Map<string, Schema>();

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
  return (podTemplate ??= readSchema('pod-template') as PodTemplateSchema);
}

let podTemplate: PodTemplateSchema | undefined;

/** Reads a schema of the package. The bundler includes the files (tools/build/plugins.ts). */
function readSchema(name: string): unknown {
  return JSON.parse(readFileSync(join(__dirname, '..', '..', 'schemas', `${name}.json`), 'utf8'));
}
