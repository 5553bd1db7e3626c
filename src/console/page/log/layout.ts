import { Offsets } from '../offsets';

/** Rows on the screen that the lines of a log take. All rows have the same height. */
export interface Layout {
  readonly rows: number;
  /** Returns the first row of a line. */
  rowOf(line: number): number;
  /** Returns the line at a row. */
  lineAt(row: number): number;
}

/**
 * Returns the scroll position at which a line stays where it is on the screen when the layout
 * changes.
 *
 * @param position before the change, in rows
 */
export function keptPosition(before: Layout, after: Layout, line: number, position: number): number {
  return Math.max(0, position + after.rowOf(line) - before.rowOf(line));
}

/** Lays out lines without wrapping. */
export function plainLayout(count: number): Layout {
  return { rows: count, rowOf: (line) => line, lineAt: (row) => Math.max(0, Math.min(count - 1, row)) };
}

/**
 * Lays out lines that wrap anywhere after so many characters.
 *
 * @param lengths of the lines, in characters
 */
export function wrappedLayout(lengths: readonly number[], columns: number): Layout {
  const offsets = new Offsets(lengths.map((length) => Math.max(1, Math.ceil(length / columns))));
  return { rows: offsets.total, rowOf: (line) => offsets.startOf(line), lineAt: (row) => offsets.indexAt(row) };
}
