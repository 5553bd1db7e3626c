import { knownFields } from './known-fields';
import { holds } from './cel';
import { isQuantity, propertyOf, type Definitions, type Schema } from './schema';
import { isTooLarge, tooManyEntries } from './size';
import type { Problem } from '../model/problem';

/**
 * Returns all faults for which the API server would reject a value. `null` is treated as missing,
 * except in lists, as the API server drops it. It also checks the `int32` range of Kubernetes'
 * fields, which a CRD does not check.
 * @param definitions definitions for the schema's references
 * @internal
 */
export function violations(schema: Schema, value: unknown, path: string, definitions: Definitions = {}): Problem[] {
  if (schema.$ref) return violations(definitionOf(schema.$ref, definitions), value, path, definitions);
  if (value === undefined) return [];
  const found = violationsOfType(schema, value, path, definitions);
  // Rules can rely on the types, so they are evaluated only for values with valid types.
  return found.length > 0 ? found : violationsOfRules(schema, value, path);
}

function definitionOf(name: string, definitions: Definitions): Schema {
  const definition = definitions[name];
  if (!definition) throw new Error(`the schema refers to ${name}, which is not among the definitions`);
  return definition;
}

const INT32_END = 2 ** 31;
const INT64_END = 2 ** 63;

function violationsOfType(schema: Schema, value: unknown, path: string, definitions: Definitions): Problem[] {
  const refuse = (reason: string | undefined): Problem[] => (reason === undefined ? [] : [{ path, value, reason }]);
  if (schema['x-kubernetes-int-or-string']) return refuse(typeof value === 'string' ? undefined : wrongInteger({ format: 'int32' }, value));
  if (isQuantity(schema)) return refuse(isQuantityValue(value, schema.pattern!) ? undefined : 'must be a quantity such as 500m, 2 or 4Gi');
  switch (schema.type) {
    case 'string': return refuse(wrongString(schema, value));
    case 'integer': return refuse(wrongInteger(schema, value));
    case 'boolean':
      return refuse(typeof value === 'boolean' ? undefined : `must be true or false${typeof value === 'string' ? ', without quotes' : ''}`);
    case 'array':
      if (!Array.isArray(value)) return refuse('must be a list');
      if (isTooLarge(schema, value)) return [{ path, value: undefined, reason: tooManyEntries(schema, value) }];
      return refuse(
        schema.minItems !== undefined && value.length < schema.minItems ? `must have at least ${schema.minItems} entries` : undefined,
      ).concat(
        value.flatMap((item, index) => violations(schema.items ?? {}, item, `${path}[${index}]`, definitions)),
        duplicates(schema, value, path),
      );
    case 'object':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('must be an object');
      return violationsOfObject(schema, value as Record<string, unknown>, path, definitions);
    default:
      return [];
  }
}

/** The pattern of `k8s.io/kube-openapi/pkg/validation/strfmt`. */
const DATE_TIME = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d([.]\d+)?(z|[+-]\d\d:\d\d)$/i;

function wrongString(schema: Schema, value: unknown): string | undefined {
  if (typeof value !== 'string') return `must be a string${typeof value === 'number' || typeof value === 'boolean' ? ', in quotes' : ''}`;
  if (schema.enum && !schema.enum.includes(value)) return `must be one of ${schema.enum.filter((word) => word !== '').join(', ')}`;
  if (schema.minLength !== undefined && lengthOf(value) < schema.minLength) {
    return schema.minLength === 1 ? 'must not be empty' : `must have at least ${schema.minLength} characters`;
  }
  if (schema.maxLength !== undefined && lengthOf(value) > schema.maxLength) return `must have at most ${schema.maxLength} characters`;
  if (schema.pattern && !new RegExp(schema.pattern).test(value)) return `must match ${schema.pattern}`;
  if (schema.format === 'date-time' && !(DATE_TIME.test(value) && Number.isFinite(Date.parse(value)))) {
    return 'must be a time such as 2026-03-01T10:00:00Z';
  }
  return undefined;
}

/**
 * Returns the number of characters: the API server counts code points, JavaScript UTF-16 code
 * units.
 */
function lengthOf(text: string): number {
  return [...text].length;
}

function wrongInteger(schema: Schema, value: unknown): string | undefined {
  if (typeof value === 'string') return 'must be a whole number, without quotes';
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) >= INT64_END) return 'must be a whole number';
  if (schema.minimum !== undefined && value < schema.minimum) return `must be at least ${schema.minimum}`;
  if (schema.maximum !== undefined && value > schema.maximum) return `must be at most ${schema.maximum}`;
  if (schema.format === 'int32' && Math.abs(value) >= INT32_END) return `must be at most ${INT32_END - 1}`;
  return undefined;
}

function isQuantityValue(value: unknown, pattern: string): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' && new RegExp(pattern).test(value);
}

function violationsOfObject(schema: Schema, value: Record<string, unknown>, path: string, definitions: Definitions): Problem[] {
  const names = Object.keys(value);
  if (isTooLarge(schema, names)) return [{ path, value: undefined, reason: tooManyEntries(schema, names) }];
  const missing = (schema.required ?? [])
    .filter((name) => !Object.hasOwn(value, name) || value[name] === undefined || value[name] === null)
    .map((name) => ({ path: `${path}.${name}`, value: undefined, reason: 'is required' }));
  const inside = Object.entries(value).flatMap(([name, item]): Problem[] => {
    const property = propertyOf(schema, name);
    const inner = property ?? schema.additionalProperties;
    const place = property ? `${path}.${name}` : `${path}[${name}]`;
    if (inner) return item === null ? [] : violations(inner, item, place, definitions);
    // Without properties the API server accepts any field, as in `metadata`.
    if (!schema.properties || schema['x-kubernetes-preserve-unknown-fields'] || item === undefined) return [];
    return [{ path: `${path}.${name}`, value: item, reason: `is not a field; ${knownFields(name, fieldsOf(schema))}`, unknown: true }];
  });
  return [...missing, ...inside];
}

const FIELDS = new WeakMap<Schema, readonly string[]>();

/** Returns the fields of a schema; always the same list for a schema. */
function fieldsOf(schema: Schema): readonly string[] {
  const fields = FIELDS.get(schema) ?? Object.keys(schema.properties ?? {});
  FIELDS.set(schema, fields);
  return fields;
}

/** Returns the entries of a list that repeat a key. */
function duplicates(schema: Schema, list: readonly unknown[], path: string): Problem[] {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys) return [];
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const fields = item as Record<string, unknown> | null;
    const key = JSON.stringify(keys.map((name) => fields?.[name] ?? schema.items?.properties?.[name]?.default));
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ path: `${path}[${index}]`, value: item, reason: `has the same ${keys.join(' and ')} as an entry before` }];
  });
}

function violationsOfRules(schema: Schema, value: unknown, path: string): Problem[] {
  const rules = schema['x-kubernetes-validations'];
  if (!rules) return [];
  const judged = withoutNulls(value);
  return rules.filter(({ rule }) => !holds(rule, judged))
    .map(({ message }) => ({ path, value, reason: message }));
}

/** Returns the value without null fields of its objects. @internal */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  return Object.fromEntries(Object.entries(value).flatMap(([name, item]) => (item === null ? [] : [[name, withoutNulls(item)]])));
}
