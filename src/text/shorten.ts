/**
 * Returns the beginning of a text, of at most `length` UTF-16 code units. It does not split a
 * surrogate pair, such as an emoji, as half of it is an invalid character.
 * @internal
 */
export function beginningOf(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const isCut = length < text.length && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isCut ? length - 1 : length);
}

/**
 * Returns a text of at most `length` characters: a longer one ends with an ellipsis.
 * @internal
 */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${beginningOf(text, length - 1)}…` : text;
}

/** Returns the end of a text by the same rule. @internal */
export function endOf(text: string, length: number): string {
  const end = text.slice(Math.max(text.length - length, 0));
  const first = end.charCodeAt(0);
  return end.length < text.length && first >= 0xdc00 && first <= 0xdfff ? end.slice(1) : end;
}
