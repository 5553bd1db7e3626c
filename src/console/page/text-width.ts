/** Width of a character in a row, in pixels: that of a wide font. */
export const CHARACTER = 8;

/** Returns the width that the longest text needs in one line, in pixels. */
export function widthOf(texts: Iterable<string>): number {
  let longest = 0;
  for (const { length } of texts) longest = Math.max(longest, length);
  return longest * CHARACTER;
}
