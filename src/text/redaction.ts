import { SECRET_NAME } from './secret-names';
import { beginningOf } from './shorten';

/** The text can end within a quoted value. */
const VALUE = '(?:"[^"]*(?:"|$)|\'[^\']*(?:\'|$)|[^\\s"\',;&]+)';

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

/** The longest text for people, in characters. The cost of the patterns grows with the square of the length. */
const MAX_LENGTH = 4_096;

/**
 * Returns a text for people without the secrets that it may quote: user and password of URIs, their queries (which sign them), and values behind
 * names such as `password=`. For all that reaches a status, an event or a log from a user's program or specification.
 *
 * @param most characters; a longer text is cut
 */
export function withoutSecrets(text: string, most = MAX_LENGTH): string {
  const cut = text.length > most ? `${withoutUnfinishedUri(beginningOf(text, most))}…` : text;
  return RULES.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), cut);
}

/** Removes a user and password that a cut left without the `@` by which they are found. */
function withoutUnfinishedUri(cut: string): string {
  const word = Math.max(...[' ', '\n', '\t', '"', "'", '<', '>'].map((separator) => cut.lastIndexOf(separator))) + 1;
  const uri = cut.indexOf('//', word);
  return uri < 0 ? cut : `${cut.slice(0, uri)}//***`;
}
