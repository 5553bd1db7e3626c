/* Finds lines of src that are too wide to read beside another file. */

const [MAX_CODE, MAX_COMMENT] = [140, 100];

/** A line that is too wide. */
export interface WideLine {
  readonly line: number;
  readonly width: number;
  readonly limit: number;
}

/** Folders whose lines are not checked yet. */
const UNCHECKED = /^src\/(?:constructs|plan|rules)\//;

const COMMENT = /^\s*(?:\*|\/\/|\/\*)/;

/**
 * Returns the lines of a source file that are wider than 140 characters, or 100 in a comment. The JSON of `@validation` is a single line.
 *
 * @param name its file name
 */
export function findWideLines(source: string, name: string): WideLine[] {
  if (UNCHECKED.test(name)) return [];
  return source.split('\n').flatMap((text, index) => {
    const limit = COMMENT.test(text) ? MAX_COMMENT : MAX_CODE;
    return text.length <= limit || text.includes('@validation') ? [] : [{ line: index + 1, width: text.length, limit }];
  });
}
