/** Texts that are literal in every shell without quotes. */
const PLAIN = /^[A-Za-z0-9_%+:,./@-][A-Za-z0-9_%+=:,./@-]*$/;

/**
 * Quotes a text as one word of a POSIX shell. The text can hold every character but NUL, which no
 * program argument can hold.
 *
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02_02
 */
export function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns a here-document with exactly this text. The text must end with a line feed. */
export function hereDocument(text: string): string {
  const lines = new Set(text.split('\n'));
  let end = 'END';
  while (lines.has(end)) end += '_';
  return `<<'${end}'\n${text}${end}`;
}
