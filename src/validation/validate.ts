import { holds } from './rules';
import { isQuantity, type Definitions, type Schema } from './schema';

/**
 * What is wrong at one place of an object.
 * @internal
 */
export interface Violation {
  /** Path of the field, such as `spec.driver.memory`. */
  readonly path: string;
  /** The value found there; undefined when it is missing. */
  readonly value: unknown;
  /** Why it is refused and what to write instead. */
  readonly reason: string;
}

/**
 * How a value is looked at.
 * @internal
 */
export interface ValidationOptions {
  /** What the schema's references name. */
  readonly definitions?: Definitions;
  /** `null` counts as not being there, as in Kubernetes' own types. A CRD refuses it unless its schema says otherwise. */
  readonly nullIsAbsent?: boolean;
}

/**
 * Everything that the API server would refuse in a value, before it is asked.
 * @internal
 */
export function violations(schema: Schema, value: unknown, path: string, options: ValidationOptions = {}): Violation[] {
  if (schema.$ref) {
    const definition = options.definitions?.[schema.$ref];
    if (!definition) throw new Error(`the schema refers to ${schema.$ref}, which is not among the definitions`);
    return violations(definition, value, path, options);
  }
  if (value === undefined || (value === null && (schema.nullable || options.nullIsAbsent))) return [];
  const found = violationsOfType(schema, value, path, options);
  // Rules may rely on the types, so that they are not asked about a value of the wrong one.
  return found.length > 0 ? found : violationsOfRules(schema, value, path);
}

const INT32_MAX = 2 ** 31 - 1;

function violationsOfType(schema: Schema, value: unknown, path: string, options: ValidationOptions): Violation[] {
  const refuse = (reason: string): Violation[] => [{ path, value, reason }];
  if (schema['x-kubernetes-int-or-string']) return typeof value === 'string' || Number.isInteger(value) ? [] : refuse('must be a whole number or a string');
  if (isQuantity(schema)) return isQuantityValue(value, schema.pattern!) ? [] : refuse('must be a quantity such as 500m, 2 or 4Gi');
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return refuse('must be a string');
      if (schema.enum && !schema.enum.includes(value)) return refuse(`must be one of ${schema.enum.filter((word) => word !== '').join(', ')}`);
      if (schema.minLength !== undefined && value.length < schema.minLength) return refuse(schema.minLength === 1 ? 'must not be empty' : `must have at least ${schema.minLength} characters`);
      if (schema.maxLength !== undefined && value.length > schema.maxLength) return refuse(`must have at most ${schema.maxLength} characters`);
      if (schema.pattern && !new RegExp(schema.pattern).test(value)) return refuse(`must match ${schema.pattern}`);
      return [];
    case 'integer':
      if (typeof value !== 'number' || !Number.isInteger(value)) return refuse('must be a whole number');
      if (schema.minimum !== undefined && value < schema.minimum) return refuse(`must be at least ${schema.minimum}`);
      if (schema.maximum !== undefined && value > schema.maximum) return refuse(`must be at most ${schema.maximum}`);
      if (schema.format === 'int32' && Math.abs(value) > INT32_MAX) return refuse(`must be at most ${INT32_MAX}`);
      return [];
    case 'boolean':
      return typeof value === 'boolean' ? [] : refuse('must be true or false');
    case 'array':
      if (!Array.isArray(value)) return refuse('must be a list');
      if (schema.minItems !== undefined && value.length < schema.minItems) return refuse(`must have at least ${schema.minItems} entries`);
      if (schema.maxItems !== undefined && value.length > schema.maxItems) return refuse(`must have at most ${schema.maxItems} entries`);
      return [
        ...value.flatMap((item, index) => violations(schema.items ?? {}, item, `${path}[${index}]`, options)),
        ...duplicates(schema, value, path),
      ];
    case 'object':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('must be an object');
      return violationsOfObject(schema, value as Record<string, unknown>, path, options);
    default:
      return [];
  }
}

function isQuantityValue(value: unknown, pattern: string): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' && new RegExp(pattern).test(value);
}

function violationsOfObject(schema: Schema, value: Record<string, unknown>, path: string, options: ValidationOptions): Violation[] {
  const missing = (schema.required ?? [])
    .filter((name) => value[name] === undefined || value[name] === null)
    .map((name) => ({ path: `${path}.${name}`, value: undefined, reason: 'is required' }));
  const inside = Object.entries(value).flatMap(([name, item]) => {
    const inner = schema.properties?.[name] ?? schema.additionalProperties;
    if (inner) {
      // What is required has been reported already.
      if (item === null && schema.required?.includes(name)) return [];
      return violations(inner, item, schema.properties?.[name] ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`, options);
    }
    // Without properties the API server takes whatever comes, as in `metadata`.
    if (!schema.properties || schema['x-kubernetes-preserve-unknown-fields'] || item === undefined) return [];
    return [{ path: `${path}.${name}`, value: item, reason: `is not a field; ${knownFields(name, Object.keys(schema.properties))}` }];
  });
  return [...missing, ...inside];
}

/** More names than these say nothing to anybody. */
const MAX_NAMES = 12;

function knownFields(unknown: string, known: readonly string[]): string {
  const [nearest] = known.map((name) => ({ name, distance: editDistance(unknown.toLowerCase(), name.toLowerCase()) })).sort((a, b) => a.distance - b.distance);
  if (nearest && nearest.distance <= Math.max(1, unknown.length / 3)) return `did you mean ${nearest.name}?`;
  return known.length <= MAX_NAMES ? `known are ${known.join(', ')}` : 'see the reference of the fields';
}

/** How many letters have to be changed, added or removed to get from one word to another (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** Entries of a list that have the same key. */
function duplicates(schema: Schema, list: readonly unknown[], path: string): Violation[] {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys) return [];
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const key = JSON.stringify(keys.map((name) => (item as Record<string, unknown> | null)?.[name] ?? schema.items?.properties?.[name]?.default));
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ path: `${path}[${index}]`, value: item, reason: `has the same ${keys.join(' and ')} as an entry before` }];
  });
}

function violationsOfRules(schema: Schema, value: unknown, path: string): Violation[] {
  return (schema['x-kubernetes-validations'] ?? [])
    .filter(({ rule }) => !holds(rule, value))
    .map(({ message }) => ({ path, value, reason: message }));
}
