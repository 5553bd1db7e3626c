import { cut, GAP, tableLines, widthsOf } from './table';

/** Rules for a table that is wider than its terminal. */
export interface TableRules {
  /** Titles of columns that are omitted, in this order, until the table fits. */
  readonly omit: readonly string[];
  /** Columns that are then shortened, in this order: their titles, and the least width of each. */
  readonly shorten: readonly Shortening[];
}

interface Shortening {
  readonly title: string;
  readonly least: number;
  readonly at: 'middle' | 'end';
  /** Whether it is shortened before others are omitted. @default false */
  readonly isFirst?: boolean;
}

/** Table whose columns fit into a terminal. */
export interface FittedTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Formats a table for a terminal: it omits and shortens columns by rules, and cuts lines only if
 * that does not suffice.
 *
 * @param columns width of the terminal @default - unlimited
 */
export function fittedLines(table: FittedTable, rules: TableRules, columns?: number): string[] {
  const fitting = fitted(table, rules, columns);
  return tableLines(fitting.header, fitting.rows, columns);
}

/** Returns a table that fits into a number of columns, as far as the rules allow. */
export function fitted(table: FittedTable, { omit, shorten }: TableRules, columns = Infinity): FittedTable {
  const first = shorten.filter(({ isFirst }) => isFirst);
  let result = table;
  for (const title of omit) if (widthOfTable(shortenedTable(result, first, columns)) > columns) result = without(result, title);
  result = shortenedTable(result, shorten, columns);
  // In a very narrow terminal, these columns share the rest, so that the last one stays visible.
  return shortenedTable(result, shorten.map((each) => ({ ...each, least: Math.ceil(each.least / 2) })), columns);
}

function shortenedTable(table: FittedTable, rules: readonly Shortening[], columns: number): FittedTable {
  let result = table;
  for (const { title, least, at } of rules) {
    const excess = widthOfTable(result) - columns;
    const index = result.header.indexOf(title);
    if (excess <= 0 || index < 0) continue;
    const width = Math.max(least, widthsOf(result.header, result.rows)[index]! - excess);
    result = {
      ...result,
      rows: result.rows.map((row) => row.map((cell, each) => (each !== index ? cell : at === 'end' ? cut(cell, width) : inMiddle(cell, width)))),
    };
  }
  return result;
}

function without({ header, rows }: FittedTable, title: string): FittedTable {
  const index = header.indexOf(title);
  const others = (row: readonly string[]) => (index < 0 ? row : row.filter((_, each) => each !== index));
  return { header: others(header), rows: rows.map(others) };
}

/** Cuts a text in its middle, as the ends of names differ. It must have no colours. */
export function inMiddle(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = Math.ceil((width - 1) / 2);
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`;
}

/** Returns the width of the longest line of a table. */
export function widthOfTable({ header, rows }: FittedTable): number {
  const widths = widthsOf(header, rows);
  return widths.reduce((sum, width) => sum + width, 0) + GAP * (widths.length - 1);
}
