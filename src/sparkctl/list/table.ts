import { LISTINGS, type RowOptions } from '../view/rows';
import type { KubeObject } from '../../kube/objects';
import { fittedLines, type FittedTable } from '../../text/fitted-table';
import { printable } from '../../text/printable';
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

/**
 * Returns the lines of a list. In a narrow terminal columns give way, so that the reason of a state
 * stays visible; with the column of whole reasons, lines are cut.
 *
 * @param columns width of the terminal @default - unlimited
 */
export function listLines(kind: KindName, objects: readonly KubeObject[], options: ListTableOptions, columns?: number): string[] {
  const { rules } = LISTINGS[kind];
  return fittedLines(listTable(kind, objects, options), options.wide ? { omit: [], shorten: [] } : rules, columns);
}
