import { remedyLines } from '../../text/message';

/** Fewest columns of values, in however narrow a terminal. */
const LEAST = 20;

/**
 * Formats lines of `Name: value`, with the values in one column. Fields without a value are
 * skipped.
 *
 * @param columns width of the terminal, where long values continue in their column
 */
export function fieldLines(
  fields: readonly (readonly [name: string, value: string | undefined])[], indent = '', columns = Infinity,
): string[] {
  const given = fields.filter((field): field is readonly [string, string] => field[1] !== undefined && field[1] !== '');
  const width = Math.max(0, ...given.map(([name]) => name.length)) + 2;
  const room = Math.max(columns - width - indent.length, LEAST);
  const linesOf = (value: string) => value.split('\n').flatMap((line) => remedyLines(line, room));
  return given.flatMap(
    ([name, value]) => linesOf(value).map((line, index) => `${indent}${(index === 0 ? `${name}:` : '').padEnd(width)}${line}`.trimEnd()),
  );
}
