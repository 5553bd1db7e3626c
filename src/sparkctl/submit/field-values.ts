import { RESOLVED_FIELDS, type ResolvedField } from '../../plan/fields';
import type { Path } from '../../plan/paths';
import { SPARK_APPLICATION } from '../../api/spark-application';
import { isQuantity, propertyOf, type Schema } from '../../rules/schema';
import { specSchema } from '../../rules/schemas';
import { violations } from '../../rules/validate';

/** Value of a field of the specification. */
export interface FieldValue {
  /** Path below `spec`; in a map, the last name is the key. */
  readonly path: Path;
  readonly value: unknown;
}

/**
 * Returns the field that sets a Spark property to a value, by the table of fields; undefined if
 * there is none, or if the field could not have this value. Then `sparkConf` sets it.
 *
 * @param isSet whether a field without which another has no effect is set to true
 */
export function fieldValueOf(key: string, value: string, isSet: (path: Path) => boolean): FieldValue | undefined {
  for (const row of ROWS) {
    const path = pathFor(row, key);
    if (!path || (row.when && row.when.join() !== path.join() && !isSet(row.when))) continue;
    const schema = schemaAt(path);
    const converted = schema && convertedTo(schema, value);
    if (converted === undefined || textOf(row, converted) !== normalized(schema!, value)) continue;
    if (violations(schema!, converted, 'value').length === 0) return { path, value: converted };
  }
  return undefined;
}

/** Rows whose field alone decides about the property. */
const ROWS = RESOLVED_FIELDS.filter(({ property, setBy }) => property !== undefined && setBy === undefined);

/** Returns the path of the field for a property; undefined if the row is about another property. */
function pathFor({ property, path, ofBothRoles, otherwise }: ResolvedField, key: string): Path | undefined {
  // A field of both roles, such as `image`, is the other source of the row of a role.
  if (otherwise && key === ofBothRoles) return otherwise;
  if (key === property) return path;
  return property!.endsWith('.') && key.startsWith(property!) && key !== property ? [...path, key.slice(property!.length)] : undefined;
}

function schemaAt(path: Path): Schema | undefined {
  let schema: Schema | undefined = specSchema(SPARK_APPLICATION);
  for (const name of path) schema = schema && (propertyOf(schema, name) ?? schema.additionalProperties);
  return schema;
}

function convertedTo(schema: Schema, text: string): unknown {
  switch (isQuantity(schema) ? 'string' : schema.type) {
    case 'string': return text === '' ? undefined : text;
    case 'integer': return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    case 'boolean': return { true: true, false: false }[text];
    case 'array': return schema.items?.type === 'string' ? entriesOf(text) : undefined;
    default: return undefined;
  }
}

function entriesOf(text: string): string[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim()).filter(Boolean);
  return entries.length > 0 ? entries : undefined;
}

/** Returns the text to which the planner converts the value of a field. */
function textOf({ write = String }: ResolvedField, value: unknown): string {
  return write(value);
}

/** Returns the text of a property as the field would write it. */
function normalized({ type }: Schema, text: string): string {
  return type === 'array' ? (entriesOf(text) ?? []).join() : text;
}
