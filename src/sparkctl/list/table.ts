import { LISTINGS, type RowOptions } from '../view/rows';
import type { KubeObject } from '../../kube/objects';
import { fitted, fittedLines, widthOfTable, type FittedTable, type TableRules } from '../../text/fitted-table';
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

/** Columns of cut reasons in a narrow terminal, before and after names are shortened. */
const [WHY_WIDTH, LEAST_WHY_WIDTH] = [40, 24];

/** Blanks before the lines of a whole reason. */
const INDENT = 4;

/**
 * Returns the lines of a list. In a narrow terminal columns give way, so that reasons stay visible:
 * whole reasons have lines of their own.
 *
 * @param columns width of the terminal @default - unlimited
 */
export function listLines(kind: KindName, objects: readonly KubeObject[], options: ListTableOptions, columns?: number): string[] {
  const whole = listTable(kind, objects, options);
  const { rules } = LISTINGS[kind];
  if (!options.wide || columns === undefined) return fittedLines(whole, rules, columns);
  const others = withoutWhy(whole);
  const whys = whole.rows.map((row) => row.at(-1)!);
  const widest = Math.max(...whys.map(({ length }) => length), whole.header.at(-1)!.length);
  const room = columns - widthOfTable(others) - GAP;
  if (room < Math.min(WHY_WIDTH, widest)) {
    return options.isCut ? cutLines(kind, objects, options, columns) : narrowLines(others, whys, rules, columns);
  }
  const rows = others.rows.flatMap((row, index) => {
    const [first, ...more] = options.isCut ? [whys[index]!] : wrapped(broken(whys[index]!, room), room);
    return [[...row, first!], ...more.map((line) => [...row.map(() => ''), line])];
  });
  return tableLines(whole.header, rows, columns);
}

/** Returns a line for each object, and below it the lines of its whole reason. */
function narrowLines(others: FittedTable, whys: readonly string[], rules: TableRules, columns: number): string[] {
  const [header, ...rows] = fittedLines(others, rules, columns);
  const width = Math.max(columns - INDENT, 1);
  return [header!, ...rows.flatMap((row, index) => {
    const lines = whys[index] === '' ? [] : wrapped(broken(whys[index]!, width), width);
    return [row, ...lines.map((line) => ' '.repeat(INDENT) + line)];
  })];
}

/**
 * Returns a line for each object: the reason in a few words gives way to as much of the whole one
 * as fits.
 */
function cutLines(kind: KindName, objects: readonly KubeObject[], options: ListTableOptions, columns: number): string[] {
  const { rules } = LISTINGS[kind];
  const table = listTable(kind, objects, { ...options, hidesReasons: true });
  const whys = table.rows.map((row) => row.at(-1)!);
  const widest = Math.max(...whys.map(({ length }) => length), table.header.at(-1)!.length);
  const roomFor = (width: number) => columns - Math.min(width, widest) - GAP;
  const others = fitted(fitted(withoutWhy(table), { ...rules, shorten: [] }, roomFor(WHY_WIDTH)), rules, roomFor(LEAST_WHY_WIDTH));
  return tableLines([...others.header, table.header.at(-1)!], others.rows.map((row, index) => [...row, whys[index]!]), columns);
}

function withoutWhy({ header, rows }: FittedTable): FittedTable {
  return { header: header.slice(0, -1), rows: rows.map((row) => row.slice(0, -1)) };
}

/** Divides words that are longer than a line, such as paths. */
function broken(text: string, width: number): string {
  return text.replace(new RegExp(`\\S{${width}}(?=\\S)`, 'g'), '$& ');
}
