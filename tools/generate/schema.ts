import type { AssemblyType, CompiledPackage, Docs, TypeReference } from './assembly.ts';

/** An OpenAPI v3 schema as a CustomResourceDefinition takes it. */
export interface Schema {
  type?: string;
  format?: string;
  nullable?: boolean;
  description?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  ['x-kubernetes-validations']?: { rule: string; message: string }[];
}

const NUMERIC_TAGS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;
const KNOWN_TAGS: readonly string[] = [...NUMERIC_TAGS, 'pattern', 'format', 'validation'];

/** The schema of a struct of the assembly. */
export function schemaOf(pkg: CompiledPackage, type: AssemblyType): Schema {
  const properties = pkg.properties(type);
  const schema: Schema = { ...described(type.docs), type: 'object', properties: {} };
  for (const property of properties) {
    schema.properties![property.name] = {
      ...schemaOfReference(pkg, property.type),
      ...described(property.docs),
      ...constrained(property.docs, `${type.name}.${property.name}`),
    };
  }
  const required = properties.filter((property) => !property.optional).map((property) => property.name);
  if (required.length > 0) schema.required = required;
  return { ...schema, ...constrained(type.docs, type.name) };
}

function schemaOfReference(pkg: CompiledPackage, reference: TypeReference): Schema {
  if ('collection' in reference) {
    const element = schemaOfReference(pkg, reference.collection.elementtype);
    return reference.collection.kind === 'array' ? { type: 'array', items: element } : { type: 'object', additionalProperties: element };
  }
  if ('fqn' in reference) {
    const type = pkg.type(reference.fqn);
    if (type.kind === 'enum') return { type: 'string', enum: pkg.enumValues(type) };
    return schemaOf(pkg, type);
  }
  switch (reference.primitive) {
    case 'string': return { type: 'string' };
    case 'boolean': return { type: 'boolean' };
    case 'number': return { type: 'integer', format: 'int32' };
    default: throw new Error(`a field of type ${reference.primitive} has no schema: give it a type`);
  }
}

function described(docs: Docs | undefined): Schema {
  const text = [docs?.summary, docs?.remarks].filter(Boolean).join(' ').replace(/\s+/g, ' ').trim();
  return text ? { description: text } : {};
}

/** What the tags of a field's documentation (`@minimum 1`, `@validation [{…}]`) say about its values. */
function constrained(docs: Docs | undefined, where: string): Schema {
  const tags = docs?.custom ?? {};
  const unknown = Object.keys(tags).find((tag) => !KNOWN_TAGS.includes(tag));
  if (unknown) throw new Error(`${where} has the unknown tag @${unknown}; known are ${KNOWN_TAGS.map((tag) => `@${tag}`).join(', ')}`);
  const schema: Schema = {};
  for (const tag of NUMERIC_TAGS) if (tags[tag] !== undefined) schema[tag] = numberIn(tags[tag], `@${tag} of ${where}`);
  if (tags.pattern) schema.pattern = tags.pattern.trim();
  if (tags.format) {
    schema.format = tags.format.trim();
    // Objects written by kubeflow's operator hold null for times that are not known yet.
    if (schema.format === 'date-time') schema.nullable = true;
  }
  if (tags.validation) schema['x-kubernetes-validations'] = rulesIn(tags.validation, where);
  return schema;
}

function numberIn(text: string, where: string): number {
  const value = Number(text.trim());
  if (!Number.isInteger(value)) throw new Error(`${where} is not a whole number: ${text}`);
  return value;
}

function rulesIn(text: string, where: string): { rule: string; message: string }[] {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`@validation of ${where} is not JSON: ${(error as Error).message}`);
  }
}
