import { isQuantity, propertyOf, type Definitions, type Schema } from './schema';

/**
 * A value as Kubernetes wants to have it: a port that is written as text (`"8080"`) becomes a number, as Kubernetes takes text for the name of
 * a port; a quantity that is written as a number (`0.5`) becomes text. All else stays as it is, also what is wrong.
 * @internal
 */
export function written<T>(schema: Schema, value: T, definitions: Definitions = {}): T {
  return convert(schema, value, definitions) as T;
}

function convert(schema: Schema, value: unknown, definitions: Definitions): unknown {
  if (schema.$ref) return convert(definitions[schema.$ref] ?? {}, value, definitions);
  if (schema['x-kubernetes-int-or-string']) return typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number(value) : value;
  if (isQuantity(schema)) return typeof value === 'number' ? String(value) : value;
  if (Array.isArray(value)) return schema.items ? mapped(value, (item) => convert(schema.items!, item, definitions)) : value;
  if (typeof value !== 'object' || value === null) return value;
  let changed = false;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => {
    const inner = propertyOf(schema, name) ?? schema.additionalProperties;
    const result = inner ? convert(inner, item, definitions) : item;
    changed ||= result !== item;
    return [name, result];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** The list itself if nothing in it changes. */
function mapped(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const result = list.map(change);
  return result.some((item, index) => item !== list[index]) ? result : list;
}
