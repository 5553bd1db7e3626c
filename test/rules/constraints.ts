import { holds } from '../../src/rules/cel';
import { propertyOf, type Schema } from '../../src/rules/schema';

/** A rule, a pattern or a bound of a schema. */
export interface Constraint {
  /** The field's name and what is asked of it; the same for fields of one meaning, such as the memory of driver and executors. */
  readonly id: string;
  keeps(value: any): boolean;
}

/** The limit that lists and maps without one of their own share. */
const COMMON_LIMIT = 2_000;

function constraintsAt(schema: Schema, field: string): Constraint[] {
  const { minimum, maximum, minLength, maxLength, maxItems, maxProperties, pattern } = schema;
  const bound = (name: string, limit: number | undefined, keeps: (value: any, limit: number) => boolean): Constraint[] => (
    limit === undefined || (name.startsWith('max') && limit === 0 && name !== 'maximum') ? [] : [{ id: `${limit === COMMON_LIMIT ? 'any' : field} ${name} ${limit}`, keeps: (value) => keeps(value, limit) }]
  );
  return [
    ...bound('minimum', minimum, (value, limit) => value >= limit),
    ...bound('maximum', maximum, (value, limit) => value <= limit),
    ...bound('minLength', minLength, (value, limit) => value.length >= limit),
    ...bound('maxLength', maxLength, (value, limit) => value.length <= limit),
    ...bound('maxItems', maxItems, (value, limit) => value.length <= limit),
    ...bound('maxProperties', maxProperties, (value, limit) => Object.keys(value).length <= limit),
    ...(pattern === undefined ? [] : [{ id: `pattern ${pattern}`, keeps: (value: any) => new RegExp(pattern).test(value) }]),
    ...(schema['x-kubernetes-validations'] ?? []).map(({ rule }) => ({ id: `${field} ${rule}`, keeps: (value: any) => holds(rule, value) })),
  ];
}

/** All constraints of a schema and of what is in it. */
export function constraintsIn(schema: Schema, field: string): Constraint[] {
  return [
    ...constraintsAt(schema, field),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => constraintsIn(inner, name)),
    ...[schema.items, schema.additionalProperties].flatMap((inner) => (inner ? constraintsIn(inner, field) : [])),
  ];
}

/** The constraints of a schema that a value has to do with, and whether it keeps each. Values of the wrong type have to do with none. */
export function verdicts(schema: Schema, value: any, field: string): { id: string; kept: boolean }[] {
  if (value === undefined || value === null) return [];
  const own = constraintsAt(schema, field).flatMap(({ id, keeps }) => {
    try {
      return [{ id, kept: keeps(value) }];
    } catch {
      return [];
    }
  });
  if (typeof value !== 'object') return own;
  const inside = Object.entries(value).flatMap(([name, item]) => {
    if (Array.isArray(value)) return schema.items ? verdicts(schema.items, item, field) : [];
    const property = propertyOf(schema, name);
    if (property) return verdicts(property, item, name);
    return schema.additionalProperties ? verdicts(schema.additionalProperties, item, field) : [];
  });
  return [...own, ...inside];
}
