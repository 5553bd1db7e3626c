import { join } from 'path';
import { Yaml } from 'cdk8s';
import type { KindDefinition } from '../api/kind';

/**
 * The part of OpenAPI v3 that our CRDs use.
 * @internal
 */
export interface Schema {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly ['x-kubernetes-validations']?: readonly { readonly rule: string; readonly message: string }[];
}

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
 * CEL rules other than `self.matches('…')`, which is understood as it is, in JavaScript.
 * A test feeds the same cases to the API server and to this table, and fails when a rule of a CRD is missing here.
 * @internal
 */
export const RULES: Readonly<Record<string, (self: any) => boolean>> = {
  "self.size() <= 253 && self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')":
    (self: string) => self.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(self),
  "self.matches('^(0|[1-9][0-9]*)?([.][0-9]+)?$') && self != ''":
    (self: string) => /^(0|[1-9][0-9]*)?([.][0-9]+)?$/.test(self) && self !== '',
  '!has(self.minExecutors) || !has(self.maxExecutors) || self.minExecutors <= self.maxExecutors':
    (self) => self.minExecutors === undefined || self.maxExecutors === undefined || self.minExecutors <= self.maxExecutors,
};

/**
 * The file with the CRD of a kind, as shipped with the package.
 * @internal
 */
export function crdFile(kind: KindDefinition): string {
  return join(__dirname, '..', '..', 'crds', `${kind.group}_${kind.plural}.yaml`);
}

/**
 * The schema of a kind as the API server will use it.
 * @internal
 */
export function schemaOfKind(kind: KindDefinition): Schema {
  const cached = SCHEMAS.get(kind.kind);
  if (cached) return cached;
  const [crd] = Yaml.load(crdFile(kind));
  const schema: Schema = crd.spec.versions[0].schema.openAPIV3Schema;
  SCHEMAS.set(kind.kind, schema);
  return schema;
}

const SCHEMAS = new Map<string, Schema>();

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

function holds(rule: string, value: unknown): boolean {
  const known = RULES[rule];
  if (known) return known(value);
  const pattern = patternOf(rule);
  if (pattern === undefined) throw new Error(`the rule ${rule} is not known here: add it to RULES`);
  return new RegExp(pattern).test(value as string);
}

/**
 * The regular expression of a rule that is nothing but `self.matches('…')`; undefined for other rules.
 * @internal
 */
export function patternOf(rule: string): string | undefined {
  return /^self\.matches\('([^']*)'\)$/.exec(rule)?.[1];
}
