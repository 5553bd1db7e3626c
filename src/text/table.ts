import { widthOf } from './colours';

/** Between two columns, as kubectl has it. */
const GAP = 3;

/**
 * Lines of a table: each column as wide as its widest cell.
 *
 * @param columns the most characters in a line; longer lines are cut, as they would break the table @default - none are cut
 */
export function tableLines(header: readonly string[], rows: readonly (readonly string[])[], columns?: number): string[] {
  const widths = header.map((title, column) => Math.max(...[header, ...rows].map((row) => widthOf(row[column] ?? '')), title.length));
  return [header, ...rows].map((row) => cut(row.map((cell, column) => (
    column === row.length - 1 ? cell : cell + ' '.repeat(widths[column]! - widthOf(cell) + GAP)
  )).join('').trimEnd(), columns));
}

/** Cuts a line, but for the codes of colours in it: one that is not closed would go on in the next. */
function cut(line: string, columns: number | undefined): string {
  if (columns === undefined || widthOf(line) <= columns) return line;
  let left = columns - 1;
  // eslint-disable-next-line no-control-regex
  return line.split(/(\x1b\[\d+m)/).map((part, index) => {
    if (index % 2 === 1) return part;
    const text = part.slice(0, Math.max(0, left));
    const isLast = left >= 0 && part.length > left;
    left -= part.length;
    return isLast ? `${text}…` : text;
  }).join('');
}
