import { widthOf } from './colours';

/** Blanks between two columns, as in kubectl. */
export const GAP = 3;

/**
 * Formats a table; each column is as wide as its widest cell.
 *
 * @param columns maximum width of a line; longer lines are cut, as wrapped lines would break the
 * table @default - unlimited
 */
export function tableLines(header: readonly string[], rows: readonly (readonly string[])[], columns?: number): string[] {
  const widths = widthsOf(header, rows);
  return [header, ...rows].map((row) => cut(lineOf(row, widths), columns));
}

/** Returns the width of each column: that of its widest cell. */
export function widthsOf(header: readonly string[], rows: readonly (readonly string[])[]): number[] {
  return header.map((_, column) => Math.max(...[header, ...rows].map((row) => widthOf(row[column] ?? ''))));
}

/** Formats a row of a table. Cells that are wider than their columns shift the next ones. */
export function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row.map((cell, column) => (
    column === row.length - 1 ? cell : cell + ' '.repeat(Math.max(0, widths[column]! - widthOf(cell)) + GAP)
  )).join('').trimEnd();
}

/**
 * Cuts a text to a width, but keeps its colour codes: an unclosed one would affect what follows.
 */
export function cut(line: string, columns: number | undefined): string {
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
