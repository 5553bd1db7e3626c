import { SECRET_NAME } from '../validation/secret-names';
import { beginningOf } from '../validation/text';

const VALUE = '(?:"[^"]*"|\'[^\']*\'|[^\\s"\',;&]+)';

/** In this order: what one leaves, the next does not take for something else. */
const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // User and password of a URI. Passwords with a slash or an @ in them are why this takes all up to the last @ of the word.
  [/\/\/[^\s"'<>]*@/g, '//***@'],
  // The query of a URI, which can be its signature.
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:[^\s?#"']*)\?[^\s,#"']+/gi, '$1?***'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 ***'],
  [new RegExp(`(--?[\\w-]{0,64}${SECRET_NAME}[\\w-]{0,64}\\s+)${VALUE}`, 'gi'), '$1***'],
  [new RegExp(`(${SECRET_NAME}[\\w.-]{0,64}["']?\\s{0,8}[=:]\\s{0,8})${VALUE}`, 'gi'), '$1***'],
];

/** No text for people is longer; what patterns cost grows with the length. */
const MAX_LENGTH = 4_096;

/**
 * A text for people without the secrets that it may quote: user and password of URIs, their queries (which sign them), and values behind
 * names such as `password=`. For all that reaches a status, an event or a log from a user's program or specification. Of a very long text
 * the beginning is kept.
 */
export function withoutSecrets(text: string): string {
  const cut = text.length > MAX_LENGTH ? `${beginningOf(text, MAX_LENGTH)}…` : text;
  return RULES.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), cut);
}
