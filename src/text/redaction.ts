import { SECRET_NAME } from './secret-names';
import { beginningOf } from './shorten';

/** The text can end within a quoted value. */
const VALUE = '(?:"[^"]*(?:"|$)|\'[^\']*(?:\'|$)|[^\\s"\',;&]+)';

/** Patterns in the order of their application: none matches the replacement of a previous one. */
const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // User and password of a URI. A password can contain a slash or an @, so this matches up to the
  // last @ of the word.
  [/\/\/[^\s"'<>]*@/g, '//***@'],
  // The query of a URI, which can be its signature.
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:[^\s?#"']*)\?[^\s,#"']+/gi, '$1?***'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 ***'],
  [new RegExp(`(--?[\\w-]{0,64}${SECRET_NAME}[\\w-]{0,64}\\s+)${VALUE}`, 'gi'), '$1***'],
  // The kubelet writes: failed for volume "db-password" : secret "db-password" not found.
  [new RegExp(`(?!(?<=\\bvolume "[\\w.-]{0,253})[\\w.-]{0,253}" : )(${SECRET_NAME}[\\w.-]{0,64}["']?\\s{0,8}[=:]\\s{0,8})${VALUE}`, 'gi'), '$1***'],
];

/**
 * Maximum length of a text for users, in characters. The cost of the patterns grows with the square
 * of the length.
 */
export const MAX_LENGTH = 4_096;

/**
 * Returns a text for users without secrets that it might quote: users, passwords and queries
 * (signatures) of URIs, and values after names such as `password=`. For every text of a user's
 * program or specification that appears in a status, an event or a log.
 *
 * @param most characters; longer texts are cut
 */
export function withoutSecrets(text: string, most = MAX_LENGTH): string {
  const cut = text.length > most ? `${withoutUnfinishedUri(beginningOf(text, most))}…` : text;
  return RULES.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), cut);
}

/** Removes a user and password if the cut removed the `@` after them. */
function withoutUnfinishedUri(cut: string): string {
  const word = Math.max(...[' ', '\n', '\t', '"', "'", '<', '>'].map((separator) => cut.lastIndexOf(separator))) + 1;
  const uri = cut.indexOf('//', word);
  return uri < 0 ? cut : `${cut.slice(0, uri)}//***`;
}
