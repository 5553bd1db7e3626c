/** Returns the fenced blocks of code of a language on a page, in their order. */
export function codeBlocks(page: string, language: string): string[] {
  return [...page.matchAll(/^```(\S+)\n([^]*?)^```$/gm)].filter(([, found]) => found === language).map(([, , text]) => text!);
}
