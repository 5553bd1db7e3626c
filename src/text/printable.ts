/**
 * Escapes the control characters of a text for a terminal: those of a manifest could move the
 * cursor or hide text.
 * Line feeds stay unchanged.
 */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(
    /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
