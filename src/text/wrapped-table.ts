import { widthOf } from './colours';
import { fitted, type TableRules } from './fitted-table';
import { GAP, lineOf, tableLines, widthsOf } from './table';
import { wrapped } from './wrapped';

/** Indentation of the last cell on lines of its own, and its least width next to the others. */
const [INDENT, LEAST_WIDTH] = [4, 24];

/**
 * Formats a table whose last column wraps. In a narrow terminal, its cells have lines of their own.
 *
 * @param columns width of the terminal @default - unlimited
 * @param shorten other columns that are shortened if they do not fit without the last one
 */
export function wrappedTableLines(
  header: readonly string[], rows: readonly (readonly string[])[], columns = Infinity, shorten: TableRules['shorten'] = [],
): string[] {
  const others = widthsOf(header.slice(0, -1), rows).reduce((sum, width) => sum + width + GAP, 0);
  const widths = widthsOf(header, rows);
  if (columns - others < Math.min(LEAST_WIDTH, widths.at(-1)!)) return narrowLines(header, rows, columns, shorten);
  return [lineOf(header, widths), ...rows.flatMap((row) => {
    const [first, ...more] = wrapped(row.at(-1)!, columns - others);
    return [lineOf([...row.slice(0, -1), first!], widths), ...more.map((line) => ' '.repeat(others) + line)];
  })];
}

function narrowLines(
  header: readonly string[], rows: readonly (readonly string[])[], columns: number, shorten: TableRules['shorten'],
): string[] {
  const others = fitted({ header: header.slice(0, -1), rows: rows.map((row) => row.slice(0, -1)) }, { omit: [], shorten }, columns);
  const [titles, ...lines] = tableLines(others.header, others.rows);
  const [allTitles] = tableLines([...others.header, header.at(-1)!], others.rows);
  return [allTitles!.length <= columns ? allTitles! : titles!, ...lines.flatMap((line, index) => {
    const last = rows[index]!.at(-1)!;
    const own = widthOf(last) === 0 ? [] : wrapped(last, columns - INDENT);
    return [line, ...own.map((each) => ' '.repeat(INDENT) + each)];
  })];
}
