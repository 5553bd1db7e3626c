import { isQuantity, propertyOf, type Definitions, type Schema } from './schema';

/**
 * Converts values to the form that Kubernetes expects. A port written as text (`"8080"`) becomes a
 * number, as Kubernetes treats text as the name of a port. A quantity written as a number (`0.5`)
 * becomes text. Other values stay unchanged, even invalid ones.
 * @internal
 */
export function withKubernetesTypes<T>(schema: Schema, value: T, definitions: Definitions = {}): T {
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

/** Returns the same list if nothing in it changes. */
function mapped(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const result = list.map(change);
  return result.some((item, index) => item !== list[index]) ? result : list;
}
