import { widthOf } from './colours';
import { GAP, lineOf, widthsOf } from './table';
import { wrapped } from './wrapped';

/** Indentation of the last cell on lines of its own, and its least width next to the others. */
const [INDENT, LEAST_WIDTH] = [4, 24];

/**
 * Formats a table whose last column wraps. In a narrow terminal, its cells have lines of their own.
 *
 * @param columns width of the terminal @default - unlimited
 */
export function wrappedTableLines(header: readonly string[], rows: readonly (readonly string[])[], columns = Infinity): string[] {
  const others = widthsOf(header.slice(0, -1), rows).reduce((sum, width) => sum + width + GAP, 0);
  const widths = widthsOf(header, rows);
  const isNarrow = columns - others < Math.min(LEAST_WIDTH, widths.at(-1)!);
  return [lineOf(header, widths), ...rows.flatMap((row) => {
    const [cells, last] = [row.slice(0, -1), row.at(-1)!];
    if (!isNarrow) {
      const [first, ...more] = wrapped(last, columns - others);
      return [lineOf([...cells, first!], widths), ...more.map((line) => ' '.repeat(others) + line)];
    }
    const own = widthOf(last) === 0 ? [] : wrapped(last, columns - INDENT);
    return [lineOf([...cells, ''], widths), ...own.map((line) => ' '.repeat(INDENT) + line)];
  })];
}
