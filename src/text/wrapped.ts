import { widthOf } from './colours';

/** Breaks a text into lines of at most `width` columns, between words. */
export function wrapped(text: string, width: number): string[] {
  return wrappedWords(text.split(' '), width);
}

/**
 * Joins words to lines; longer words have a line of their own.
 *
 * @param width maximum width of a line, in columns
 * @param further maximum width of the lines after the first one
 */
export function wrappedWords(words: readonly string[], width: number, further = width): string[] {
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1)!;
    const limit = lines.length > 1 ? further : width;
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > limit) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
