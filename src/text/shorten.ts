/**
 * The beginning of a text, of at most as many characters as JavaScript counts them. A character that counts as two, such as an emoji, is not
 * cut in two: half of it is no character to anybody.
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

/**
 * The end of a text, in the same way.
 * @internal
 */
export function endOf(text: string, length: number): string {
  const end = text.slice(Math.max(text.length - length, 0));
  const first = end.charCodeAt(0);
  return end.length < text.length && first >= 0xdc00 && first <= 0xdfff ? end.slice(1) : end;
}
