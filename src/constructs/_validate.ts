import { holds } from './_rules';
import type { Schema } from './_schema';

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
 * Everything that the API server would refuse in a value, before it is asked.
 * @internal
 */
export function violations(schema: Schema, value: unknown, path: string): Violation[] {
  if (value === undefined || (value === null && schema.nullable)) return [];
  const found = violationsOfType(schema, value, path);
  // Rules may rely on the types, so that they are not asked about a value of the wrong one.
  return found.length > 0 ? found : violationsOfRules(schema, value, path);
}

function violationsOfType(schema: Schema, value: unknown, path: string): Violation[] {
  const refuse = (reason: string): Violation[] => [{ path, value, reason }];
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return refuse('must be a string');
      if (schema.enum && !schema.enum.includes(value)) return refuse(`must be one of ${schema.enum.join(', ')}`);
      if (schema.minLength !== undefined && value.length < schema.minLength) return refuse(schema.minLength === 1 ? 'must not be empty' : `must have at least ${schema.minLength} characters`);
      if (schema.maxLength !== undefined && value.length > schema.maxLength) return refuse(`must have at most ${schema.maxLength} characters`);
      if (schema.pattern && !new RegExp(schema.pattern).test(value)) return refuse(`must match ${schema.pattern}`);
      return [];
    case 'integer':
      if (typeof value !== 'number' || !Number.isInteger(value)) return refuse('must be a whole number');
      if (schema.minimum !== undefined && value < schema.minimum) return refuse(`must be at least ${schema.minimum}`);
      if (schema.maximum !== undefined && value > schema.maximum) return refuse(`must be at most ${schema.maximum}`);
      if (value > 2 ** 31 - 1) return refuse(`must be at most ${2 ** 31 - 1}`);
      return [];
    case 'boolean':
      return typeof value === 'boolean' ? [] : refuse('must be true or false');
    case 'array':
      if (!Array.isArray(value)) return refuse('must be a list');
      if (schema.minItems !== undefined && value.length < schema.minItems) return refuse(`must have at least ${schema.minItems} entries`);
      if (schema.maxItems !== undefined && value.length > schema.maxItems) return refuse(`must have at most ${schema.maxItems} entries`);
      return value.flatMap((item, index) => violations(schema.items ?? {}, item, `${path}[${index}]`));
    case 'object':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('must be an object');
      return violationsOfObject(schema, value as Record<string, unknown>, path);
    default:
      return [];
  }
}

function violationsOfObject(schema: Schema, value: Record<string, unknown>, path: string): Violation[] {
  const missing = (schema.required ?? [])
    .filter((name) => value[name] === undefined || value[name] === null)
    .map((name) => ({ path: `${path}.${name}`, value: undefined, reason: 'is required' }));
  const inside = Object.entries(value).flatMap(([name, item]) => {
    const inner = schema.properties?.[name] ?? schema.additionalProperties;
    if (inner) return violations(inner, item, schema.additionalProperties ? `${path}[${JSON.stringify(name)}]` : `${path}.${name}`);
    // Without properties the API server takes whatever comes, as in `metadata`.
    if (!schema.properties || item === undefined) return [];
    return [{ path: `${path}.${name}`, value: item, reason: `is not a field; known are ${Object.keys(schema.properties).join(', ')}` }];
  });
  return [...missing, ...inside];
}

function violationsOfRules(schema: Schema, value: unknown, path: string): Violation[] {
  return (schema['x-kubernetes-validations'] ?? [])
    .filter(({ rule }) => !holds(rule, value))
    .map(({ message }) => ({ path, value, reason: message }));
}
