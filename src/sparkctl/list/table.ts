import { LISTINGS, type RowOptions } from '../view/rows';
import type { KubeObject } from '../../kube/objects';
import { fitted, fittedLines, type FittedTable } from '../../text/fitted-table';
import { printable } from '../../text/printable';
import { GAP, tableLines } from '../../text/table';
import type { KindName } from '../target';

/** Options of a list's table. */
export interface ListTableOptions extends RowOptions {
  /** Whether there is a column with the namespace. */
  readonly isEverywhere: boolean;
}

/** Returns the table of a list, with all its columns. */
export function listTable(kind: KindName, objects: readonly KubeObject[], { isEverywhere, ...options }: ListTableOptions): FittedTable {
  const { header, row } = LISTINGS[kind];
  return {
    header: [...(isEverywhere ? ['NAMESPACE'] : []), ...header, ...(options.wide ? ['WHY'] : [])],
    rows: objects.map((object) => [...(isEverywhere ? [printable(object.metadata.namespace!)] : []), ...row(object, options)]),
  };
}

/** Columns that the whole reasons keep in a narrow terminal. */
const WHY_WIDTH = 40;

/**
 * Returns the lines of a list. In a narrow terminal columns give way, so that reasons stay visible.
 *
 * @param columns width of the terminal @default - unlimited
 */
export function listLines(kind: KindName, objects: readonly KubeObject[], options: ListTableOptions, columns?: number): string[] {
  const table = listTable(kind, objects, options);
  const { rules } = LISTINGS[kind];
  if (!options.wide || columns === undefined) return fittedLines(table, rules, columns);
  const whys = table.rows.map((row) => row.at(-1)!);
  const width = Math.min(WHY_WIDTH, Math.max(...whys.map(({ length }) => length)));
  const others = { header: table.header.slice(0, -1), rows: table.rows.map((row) => row.slice(0, -1)) };
  const { header, rows } = fitted(others, rules, columns - width - GAP);
  return tableLines([...header, table.header.at(-1)!], rows.map((row, index) => [...row, whys[index]!]), columns);
}
