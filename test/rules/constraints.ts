import { holds } from '../../src/rules/cel';
import { propertyOf, type Schema } from '../../src/rules/schema';

/** A rule, a pattern or a bound of a schema. */
export interface Constraint {
  /**
   * Field name and constraint; the same for fields with the same meaning, such as the memory of
   * driver and executors.
   */
  readonly id: string;
  keeps(value: any): boolean;
}

/** Common limit of lists and maps without a limit of their own. */
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

/** Returns all constraints of a schema and its inner schemas. */
export function constraintsIn(schema: Schema, field: string): Constraint[] {
  return [
    ...constraintsAt(schema, field),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => constraintsIn(inner, name)),
    ...[schema.items, schema.additionalProperties].flatMap((inner) => (inner ? constraintsIn(inner, field) : [])),
  ];
}

/**
 * Returns the constraints of a schema that apply to a value, and whether it satisfies them. None
 * apply to values of the wrong type.
 */
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
