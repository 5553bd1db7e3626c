/** Returns the fenced blocks of code of a language on a page, in their order, without the indentation of a list. */
export function codeBlocks(page: string, language: string): string[] {
  return [...page.matchAll(/^( *)```(\S+)\n([^]*?)^\1```$/gm)].filter(([, , found]) => found === language)
    .map(([, indent, , text]) => text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}
