import { shortened } from './shorten';

/**
 * Maximum length of a name in memory, in characters. The API server accepts no longer names of
 * objects.
 */
export const MAX_NAME = 253;

/** Maximum length of a message in memory, in characters, as for notes of events. */
export const MAX_MESSAGE = 1_024;

/**
 * Returns a text of at most `most` characters to keep in memory. It is a copy: a slice would keep
 * the complete text in memory.
 *
 * @param most characters
 */
export function boundedText(text: string, most: number): string {
  return Buffer.from(shortened(text, most)).toString();
}
