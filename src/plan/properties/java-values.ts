/*
 * Parsers of Spark properties as in Java and Scala. JavaScript's functions trim more characters and
 * accept more texts as numbers.
 */

/** Removes spaces and control characters at both ends (`String.trim`). */
export function javaTrim(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
}

/**
 * Returns the parts between separators, without empty ones at the end. An empty text has one empty
 * part (`String.split`).
 */
export function javaSplit(text: string, separator: string): string[] {
  const parts = text.split(separator);
  while (parts.length > 0 && parts.at(-1) === '' && text !== '') {
    parts.pop();
  }
  return parts;
}

const MAX_INT = 2 ** 31 - 1;

/**
 * Returns a 32-bit integer, or undefined (`Integer.parseInt`, except for digits of other scripts).
 */
export function javaInt(text: string): number | undefined {
  const value = /^[+-]?[0-9]+$/.test(text) ? Number(text) : NaN;
  return value >= -MAX_INT - 1 && value <= MAX_INT ? value : undefined;
}

/** Returns `true` or `false` in any case, or undefined (Scala's `toBoolean`). */
export function scalaBoolean(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : undefined;
}

/**
 * Returns the parts of a comma-separated list, trimmed and without empty ones (Spark's
 * `Utils.stringToSeq`).
 */
export function sparkList(text: string): string[] {
  return text.split(',').map(javaTrim).filter(part => part !== '');
}
