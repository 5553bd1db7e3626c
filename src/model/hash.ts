import { createHash } from 'node:crypto';

/** 16 hexadecimal digits that stand for a value. The order of its fields does not matter. */
export function hashOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex').slice(0, 16);
}

/** For JSON.stringify: the keys of objects in alphabetical order. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
