import { QUANTITY_PATTERN } from './quantity';

/** The part of OpenAPI v3 that our CRDs use, and references for schemas outside a CRD. @internal */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly default?: string;
  readonly enum?: readonly (string | boolean)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly pattern?: string;
  readonly not?: Schema;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  /** Name of a definition next to the schema. CRDs have none. */
  readonly $ref?: string;
  readonly ['x-kubernetes-int-or-string']?: boolean;
  readonly ['x-kubernetes-preserve-unknown-fields']?: boolean;
  readonly ['x-kubernetes-list-type']?: string;
  readonly ['x-kubernetes-list-map-keys']?: readonly string[];
  readonly ['x-kubernetes-validations']?: readonly ValidationRule[];
}

/** A rule in the Common Expression Language. @internal */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  /** Whether the rule also applies to new objects, where `oldSelf` has no value. */
  readonly optionalOldSelf?: boolean;
}

/** Returns the schema of a field. @internal */
export function propertyOf(schema: Schema, name: string): Schema | undefined {
  // `constructor` and others are properties of every object.
  return schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
}

/** Schemas by name, for those that reference each other. @internal */
export type Definitions = Readonly<Record<string, Schema>>;

/**
 * A quantity in a CRD. `x-kubernetes-int-or-string` would reject `cpu: 0.5`. So this accepts any
 * type except lists, objects and booleans: no list has at least one and at most zero entries.
 * @internal
 */
export const QUANTITY: Schema = {
  'x-kubernetes-preserve-unknown-fields': true,
  'pattern': QUANTITY_PATTERN,
  'minProperties': 1,
  'maxProperties': 0,
  'minItems': 1,
  'maxItems': 0,
  'not': { enum: [true, false] },
};

/** Whether a schema is that of a quantity. @internal */
export function isQuantity(schema: Schema): boolean {
  return schema.pattern === QUANTITY_PATTERN && schema.type === undefined;
}
