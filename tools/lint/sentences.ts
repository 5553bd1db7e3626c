/* Finds long sentences in the paragraphs and list items of Markdown. */
import { passagesOfMarkdown } from './passages.ts';

/** Words of a sentence at most. */
export const MAX_WORDS = 25;

/** A sentence with too many words. */
export interface LongSentence {
  readonly line: number;
  readonly words: number;
  readonly start: string;
}

/** Returns the sentences of a page that have more words than `limit`. Code is one word; tables and blocks of code are not read. */
export function findLongSentences(source: string, limit = MAX_WORDS): LongSentence[] {
  return passagesOfMarkdown(source).filter(({ kind }) => kind === 'prose').flatMap(({ text, lineOf }) => {
    let offset = 0;
    return text.split(/(?<=[.!?][)"*]*)(?= [A-Z("*])/).flatMap((sentence) => {
      const line = lineOf(offset + (sentence.startsWith(' ') ? 1 : 0));
      offset += sentence.length;
      const words = sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word));
      return words.length > limit ? [{ line, words: words.length, start: words.slice(0, 6).join(' ') }] : [];
    });
  });
}
