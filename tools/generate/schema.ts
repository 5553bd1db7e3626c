import type { Schema as PublishedSchema, ValidationRule } from '../../src/rules/schema.ts';
import type { AssemblyType, CompiledPackage, Docs, TypeReference } from './assembly.ts';

/** A schema that is being built. */
export type Schema = { -readonly [key in keyof PublishedSchema]: PublishedSchema[key] };

const NUMERIC_TAGS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'maxProperties'] as const;
const KNOWN_TAGS: readonly string[] = [
  ...NUMERIC_TAGS, 'pattern', 'format', 'validation', 'validationFrom', 'oneOf', 'quantity', 'intOrString', 'listMapKeys', 'schemaDefault', 'freeForm', 'openEnum', 'emptyIsUnset',
];

/** Where structs become definitions that are referred to, instead of being repeated. */
export type Definitions = Map<string, Schema>;

/** The schema of a struct of the assembly. */
export function schemaOf(pkg: CompiledPackage, type: AssemblyType, definitions?: Definitions): Schema {
  const properties = pkg.properties(type);
  const fields: Record<string, Schema> = {};
  for (const property of properties) {
    fields[property.name] = withTags(pkg, {
      ...(property.docs?.custom?.freeForm === undefined ? schemaOfReference(pkg, property.type, definitions) : {}),
      ...described(property.docs),
    }, property.docs, `${type.name}.${property.name}`);
  }
  const required = properties.filter((property) => !property.optional).map((property) => property.name);
  const schema: Schema = { ...(pkg.isKubernetes(type) ? {} : described(type.docs)), type: 'object', properties: fields, ...(required.length > 0 ? { required } : {}) };
  return withTags(pkg, schema, type.docs, type.name);
}

/**
 * Entries of a list or a map without a limit of its own: more than users need, and few enough that no object keeps the API server or
 * the operator busy.
 */
const MOST_ENTRIES = 2_000;

/** A schema in which every list and every map has a limit. */
export function withLimits(schema: Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, withLimits(field)])) }),
    ...(items && { items: withLimits(items), maxItems: schema.maxItems ?? MOST_ENTRIES }),
    ...(additionalProperties && { additionalProperties: withLimits(additionalProperties), maxProperties: schema.maxProperties ?? MOST_ENTRIES }),
  };
}

function schemaOfReference(pkg: CompiledPackage, reference: TypeReference, definitions: Definitions | undefined): Schema {
  if ('collection' in reference) {
    const element = schemaOfReference(pkg, reference.collection.elementtype, definitions);
    return reference.collection.kind === 'array' ? { type: 'array', items: element } : { type: 'object', additionalProperties: element };
  }
  if ('fqn' in reference) {
    const type = pkg.type(reference.fqn);
    if (type.kind === 'enum') return { type: 'string', enum: pkg.enumValues(type) };
    return definitions ? referenceTo(pkg, type, definitions) : schemaOf(pkg, type);
  }
  switch (reference.primitive) {
    case 'string': return { type: 'string' };
    case 'boolean': return { type: 'boolean' };
    case 'number': return { type: 'integer', format: 'int32' };
    default: throw new Error(`a field of type ${reference.primitive} has no schema: give it a type`);
  }
}

function referenceTo(pkg: CompiledPackage, type: AssemblyType, definitions: Definitions): Schema {
  if (!definitions.has(type.name)) {
    definitions.set(type.name, {}); // a struct can contain itself
    definitions.set(type.name, schemaOf(pkg, type, definitions));
  }
  return { $ref: type.name };
}

function described(docs: Docs | undefined): Schema {
  const text = [docs?.summary, docs?.remarks].filter(Boolean).join(' ').replace(/\s+/g, ' ').trim();
  return text ? { description: text } : {};
}

/** Returns the schema with the rules in the tags of a field's documentation (`@minimum 1`, `@validation [{…}]`). */
function withTags(pkg: CompiledPackage, schema: Schema, docs: Docs | undefined, where: string): Schema {
  const tags = docs?.custom ?? {};
  const unknown = Object.keys(tags).find((tag) => !KNOWN_TAGS.includes(tag));
  if (unknown) throw new Error(`${where} has the unknown tag @${unknown}; known are ${KNOWN_TAGS.map((tag) => `@${tag}`).join(', ')}`);
  const { description } = schema;
  if (tags.freeForm !== undefined) return { 'type': 'object', description, 'x-kubernetes-preserve-unknown-fields': true };
  const result: Schema = { ...schema };
  if (tags.quantity !== undefined) Object.assign(result, ofValues(result, pkg.module('rules/schema').QUANTITY));
  if (tags.intOrString !== undefined) Object.assign(result, ofValues(result, { 'x-kubernetes-int-or-string': true }));
  if (tags.openEnum !== undefined) delete result.enum;
  // Go and Helm write an empty word for one that is not set.
  if (tags.emptyIsUnset !== undefined) result.enum = ['', ...result.enum ?? []];
  for (const tag of NUMERIC_TAGS) if (tags[tag] !== undefined) result[tag] = numberIn(tags[tag], `@${tag} of ${where}`);
  if (tags.pattern) result.pattern = tags.pattern.trim();
  if (tags.schemaDefault) result.default = tags.schemaDefault.trim();
  if (tags.oneOf) result.enum = jsonIn(tags.oneOf, `@oneOf of ${where}`);
  if (tags.listMapKeys) Object.assign(result, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': jsonIn(tags.listMapKeys, `@listMapKeys of ${where}`) });
  if (tags.format) {
    const format = tags.format.trim();
    if (result.items) result.items = { ...result.items, format };
    else result.format = format;
    // Objects written by kubeflow's operator hold null for times that are not known yet.
    if (result.format === 'date-time') result.nullable = true;
  }
  const rules: ValidationRule[] = [
    ...(tags.validation ? jsonIn(tags.validation, `@validation of ${where}`) as ValidationRule[] : []),
    ...(tags.validationFrom ? rulesFrom(pkg, tags.validationFrom, where) : []),
  ];
  if (rules.length > 0) result['x-kubernetes-validations'] = rules;
  return result;
}

/** The schema of a value, or of each value of a map, replaced. */
function ofValues(schema: Schema, values: Schema): Schema {
  return schema.additionalProperties ? { additionalProperties: values } : { type: undefined, ...values };
}

/** `module CONSTANT`: rules that code needs as well. */
function rulesFrom(pkg: CompiledPackage, text: string, where: string): ValidationRule[] {
  const [module, constant] = text.trim().split(/\s+/);
  const rules = module && constant ? pkg.module(module)[constant] : undefined;
  if (!Array.isArray(rules)) throw new Error(`@validationFrom of ${where} names no list of rules: ${text}`);
  return rules;
}

function numberIn(text: string, where: string): number {
  const value = Number(text.trim());
  if (!Number.isInteger(value)) throw new Error(`${where} is not a whole number: ${text}`);
  return value;
}

function jsonIn(text: string, where: string): any {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${where} is not JSON: ${(error as Error).message}`);
  }
}
