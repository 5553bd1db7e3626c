import { boundedText } from '../../text/bounded-text';

/** Returns the beginning of a long text, and a short text as it is. */
export function cut(text: string, most: number): string {
  return text.length > most ? boundedText(text, most) : text;
}
