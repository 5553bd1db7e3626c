import { widthOf } from './colours';

/** Breaks a text into lines of at most `width` columns, between words. */
export function wrapped(text: string, width: number): string[] {
  return wrappedWords(text.split(' '), width);
}

/** Joins words to lines of at most `width` columns; longer words have a line of their own. */
export function wrappedWords(words: readonly string[], width: number): string[] {
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1)!;
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
