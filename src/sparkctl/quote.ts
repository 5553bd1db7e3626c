/** What every shell takes as it is, and nobody reads as anything else. */
const PLAIN = /^[A-Za-z0-9_%+:,./@-][A-Za-z0-9_%+=:,./@-]*$/;

/**
 * A word for a POSIX shell that stands for exactly this text, whatever is in it but NUL, which no argument of a program can hold.
 *
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02_02
 */
export function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A here-document: a command's standard input, character by character. The text ends with a line feed. */
export function hereDocument(text: string): string {
  const lines = new Set(text.split('\n'));
  let end = 'END';
  while (lines.has(end)) end += '_';
  return `<<'${end}'\n${text}${end}`;
}
