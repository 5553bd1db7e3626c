import { shortened } from './shorten';

/** The longest name that is kept, in characters: the API server accepts no longer ones for objects. */
export const MAX_NAME = 253;

/** The longest message that is kept, in characters, as in notes of events. */
export const MAX_MESSAGE = 1_024;

/**
 * Returns a text as it is kept in memory, without what is beyond a length. It is a copy, as a slice
 * of a long text would keep all of it in memory.
 *
 * @param most characters
 */
export function boundedText(text: string, most: number): string {
  return Buffer.from(shortened(text, most)).toString();
}
