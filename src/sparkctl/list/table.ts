import { LISTINGS, type RowOptions } from '../view/rows';
import type { KubeObject } from '../../kube/objects';
import { fitted, fittedLines, widthOfTable, type FittedTable } from '../../text/fitted-table';
import { printable } from '../../text/printable';
import { GAP, tableLines } from '../../text/table';
import { wrapped } from '../../text/wrapped';
import type { KindName } from '../target';

/** Options of a list's table. */
export interface ListTableOptions extends RowOptions {
  /** Whether there is a column with the namespace. */
  readonly isEverywhere: boolean;
  /** Whether whole reasons are cut, so that each object has one line. @default - they wrap */
  readonly isCut?: boolean;
}

/** Returns the table of a list, with all its columns. */
export function listTable(kind: KindName, objects: readonly KubeObject[], { isEverywhere, ...options }: ListTableOptions): FittedTable {
  const { header, row } = LISTINGS[kind];
  return {
    header: [...(isEverywhere ? ['NAMESPACE'] : []), ...header, ...(options.wide ? ['WHY'] : [])],
    rows: objects.map((object) => [...(isEverywhere ? [printable(object.metadata.namespace!)] : []), ...row(object, options)]),
  };
}

/** Columns of whole reasons in a narrow terminal, before and after names are shortened. */
const [WHY_WIDTH, LEAST_WHY_WIDTH] = [40, 24];

/**
 * Returns the lines of a list. In a narrow terminal columns give way, so that reasons stay visible.
 *
 * @param columns width of the terminal @default - unlimited
 */
export function listLines(kind: KindName, objects: readonly KubeObject[], options: ListTableOptions, columns?: number): string[] {
  const whole = listTable(kind, objects, options);
  const { rules } = LISTINGS[kind];
  if (!options.wide || columns === undefined) return fittedLines(whole, rules, columns);
  // In a narrow terminal there is no room for the reasons in a few words.
  const isNarrow = widthOfTable(withoutWhy(whole)) > columns - WHY_WIDTH - GAP;
  const table = isNarrow ? listTable(kind, objects, { ...options, hidesReasons: true }) : whole;
  const whys = table.rows.map((row) => row.at(-1)!);
  const widest = Math.max(...whys.map(({ length }) => length), table.header.at(-1)!.length);
  const roomFor = (width: number) => columns - Math.min(width, widest) - GAP;
  const others = fitted(fitted(withoutWhy(table), { ...rules, shorten: [] }, roomFor(WHY_WIDTH)), rules, roomFor(LEAST_WHY_WIDTH));
  const room = columns - widthOfTable(others) - GAP;
  const rows = others.rows.flatMap((row, index) => {
    const [first, ...more] = options.isCut ? [whys[index]!] : wrapped(broken(whys[index]!, Math.max(room, 1)), Math.max(room, 1));
    return [[...row, first!], ...more.map((line) => [...row.map(() => ''), line])];
  });
  return tableLines([...others.header, table.header.at(-1)!], rows, columns);
}

function withoutWhy({ header, rows }: FittedTable): FittedTable {
  return { header: header.slice(0, -1), rows: rows.map((row) => row.slice(0, -1)) };
}

/** Divides words that are longer than a line, such as paths. */
function broken(text: string, width: number): string {
  return text.replace(new RegExp(`\\S{${width}}(?=\\S)`, 'g'), '$& ');
}
