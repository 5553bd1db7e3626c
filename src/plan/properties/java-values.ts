/**
 * How Java and Scala read the texts that Spark properties are. JavaScript's own functions are more lenient: they trim more, and
 * take more for a number.
 */

/** Without blanks and control characters at both ends (`String.trim`). */
export function javaTrim(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
}

/** The parts between the separators, without empty ones at the end; an empty text is one empty part (`String.split`). */
export function javaSplit(text: string, separator: string): string[] {
  const parts = text.split(separator);
  while (parts.length > 0 && parts.at(-1) === '' && text !== '') {
    parts.pop();
  }
  return parts;
}

const MAX_INT = 2 ** 31 - 1;

/** A whole number of 32 bits, or undefined (`Integer.parseInt`, but for digits of other scripts). */
export function javaInt(text: string): number | undefined {
  const value = /^[+-]?[0-9]+$/.test(text) ? Number(text) : NaN;
  return value >= -MAX_INT - 1 && value <= MAX_INT ? value : undefined;
}

/** `true` or `false` in any case, or undefined (Scala's `toBoolean`). */
export function scalaBoolean(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : undefined;
}

/** The parts of a comma-separated list, without blanks around them and without empty ones (Spark's `Utils.stringToSeq`). */
export function sparkList(text: string): string[] {
  return text.split(',').map(javaTrim).filter(part => part !== '');
}
