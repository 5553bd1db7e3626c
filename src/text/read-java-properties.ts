const LETTERS: { readonly [letter: string]: string } = { t: '\t', n: '\n', r: '\r', f: '\f' };

/**
 * Reads properties as `java.util.Properties.load` does: comments, line continuation, the separators
 * `=`, `:` and white space, escapes. If a key is repeated, its last line applies.
 *
 * @throws {Error} if a `\u` escape is malformed
 */
export function parseJavaProperties(text: string): Map<string, string> {
  const properties = new Map<string, string>();
  for (const line of logicalLines(text)) {
    // The key ends at the first separator that no backslash escapes.
    const match = /^((?:[^\\=: \t\f]|\\[^])*)[ \t\f]*[=:]?[ \t\f]*([^]*)$/.exec(line);
    if (match) properties.set(unescaped(match[1]!), unescaped(match[2]!));
  }
  return properties;
}

/**
 * Returns lines without comments and blank ones. A line that ends in an odd number of backslashes
 * continues in the next.
 */
function* logicalLines(text: string): Generator<string> {
  let pending: string | undefined;
  for (const natural of text.split(/\r\n|[\r\n]/)) {
    const line = natural.replace(/^[ \t\f]+/, '');
    if (pending === undefined && (line === '' || line.startsWith('#') || line.startsWith('!'))) continue;
    const whole = (pending ?? '') + line;
    const continues = /\\*$/.exec(line)![0].length % 2 === 1;
    pending = continues ? whole.slice(0, -1) : undefined;
    if (!continues) yield whole;
  }
  if (pending !== undefined) yield pending;
}

function unescaped(text: string): string {
  return text.replace(/\\(u([^]{0,4})|[^]|$)/g, (_, escape: string, hexadecimal?: string) => {
    if (hexadecimal === undefined) return LETTERS[escape] ?? escape;
    if (!/^[0-9a-fA-F]{4}$/.test(hexadecimal)) throw new Error(`malformed \\u escape: \\u${hexadecimal}`);
    return String.fromCharCode(Number.parseInt(hexadecimal, 16));
  });
}
