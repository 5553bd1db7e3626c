import { propertyOf, type Schema } from './schema';

/**
 * Returns a value as the API server stores it and the operator reads it: with the schema's
 * defaults, and without nulls. Parts without a schema stay unchanged.
 * @internal
 */
export function asStored(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => asStored(schema.items ?? {}, item));
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    const inner = propertyOf(schema, name) ?? schema.additionalProperties;
    if (!inner) return [[name, item]];
    return item === null && !inner.nullable ? [] : [[name, asStored(inner, item)]];
  });
  const names = new Set(present.map(([name]) => name));
  const defaults = Object.entries(schema.properties ?? {}).filter(([name, inner]) => inner.default !== undefined && !names.has(name));
  return Object.fromEntries([...present, ...defaults.map(([name, inner]): [string, unknown] => [name, inner.default])]);
}
