import type { Json } from './submitted';

/** A value that differs from another in one leaf. */
export interface Mutation {
  readonly path: string;
  readonly change: 'changed' | 'removed';
  readonly value: Json;
}

/**
 * The value, each time with one leaf changed, and each time with one leaf removed. A leaf is what holds nothing else; of a text of several
 * lines each line is one.
 */
export function* mutations(value: Json, path = ''): Generator<Mutation> {
  if (value !== null && typeof value === 'object' && Object.keys(value).length > 0) {
    for (const key of Object.keys(value)) {
      const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
      for (const mutation of mutations(value[key], at)) yield { ...mutation, value: withItem(value, key, mutation.value) };
      if (isLeaf(value[key])) yield { path: at, change: 'removed', value: withoutItem(value, key) };
    }
    return;
  }
  yield { path, change: 'changed', value: changed(value) };
  if (typeof value !== 'string' || !value.includes('\n')) return;
  const lines = value.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    yield { path: `${path} line ${index + 1}`, change: 'changed', value: lines.with(index, `${line}x`).join('\n') };
    yield { path: `${path} line ${index + 1}`, change: 'removed', value: lines.toSpliced(index, 1).join('\n') };
  }
}

function isLeaf(value: Json): boolean {
  return value === null || typeof value !== 'object' || Object.keys(value).length === 0;
}

function changed(leaf: Json): Json {
  if (typeof leaf === 'string') return `${leaf}x`;
  if (typeof leaf === 'number') return leaf + 1;
  if (typeof leaf === 'boolean') return !leaf;
  return 'x';
}

function withItem(parent: Json, key: string, item: Json): Json {
  return Array.isArray(parent) ? parent.with(Number(key), item) : { ...parent, [key]: item };
}

function withoutItem(parent: Json, key: string): Json {
  if (Array.isArray(parent)) return parent.toSpliced(Number(key), 1);
  const { [key]: _, ...others } = parent;
  return others;
}
