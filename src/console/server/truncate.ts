import { boundedText } from '../../text/bounded-text';

/** Truncates a text to `most` characters. */
export function truncate(text: string, most: number): string {
  return text.length > most ? boundedText(text, most) : text;
}
