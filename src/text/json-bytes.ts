/** Returns the size of a value, in bytes of JSON. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/**
 * Whether a value has more characters of JSON than a limit. It stops there, so that the time does
 * not depend on the size of the value. Escapes count as one character.
 */
export function isLongerThan(value: unknown, limit: number): boolean {
  return charactersOf(value, limit) > limit;
}

/** Returns the characters of JSON, or a number above the limit. */
function charactersOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length + '""'.length;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let characters = '{}'.length;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    characters += (Array.isArray(value) ? 0 : key.length + '"":'.length) + ','.length;
    characters += charactersOf(value[key as keyof typeof value], limit - characters);
    if (characters > limit) return characters;
  }
  return characters;
}
