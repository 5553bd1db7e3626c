/**
 * Formats lines of `Name: value`, with the values in one column. Fields without a value are
 * skipped.
 */
export function fieldLines(fields: readonly (readonly [name: string, value: string | undefined])[], indent = ''): string[] {
  const given = fields.filter((field): field is readonly [string, string] => field[1] !== undefined && field[1] !== '');
  const width = Math.max(0, ...given.map(([name]) => name.length)) + 2;
  return given.flatMap(
    ([name, value]) => value.split('\n').map((line, index) => `${indent}${(index === 0 ? `${name}:` : '').padEnd(width)}${line}`.trimEnd()),
  );
}
