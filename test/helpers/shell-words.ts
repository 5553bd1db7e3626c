/** Returns the words of the first command in a line of a shell, as far as documentation needs it: quotes, comments and operators, no variables. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const [part] of line.matchAll(/(?:[^\s"'|&;<>()]|"[^"]*"|'[^']*')+|[|&;<>()]|\s+/g)) {
    if (/^[|&;<>()]$/.test(part) || part.startsWith('#')) break;
    if (part.trim() !== '') words.push(part.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
  }
  return words;
}
