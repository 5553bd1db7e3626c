import { createHash } from 'node:crypto';

/** Returns a hash of a value, with 16 hexadecimal digits. The order of fields does not matter. */
export function hashOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex').slice(0, 16);
}

/**
 * Replacer for JSON.stringify that sorts the keys of objects. Those of the API server are sorted
 * already.
 */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || hasSortedKeys(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function hasSortedKeys(value: object): boolean {
  return Object.keys(value).every((key, index, keys) => index === 0 || keys[index - 1]! <= key);
}
