import { listTable, type ListTableOptions } from './table';
import type { KubeObject } from '../../kube/objects';
import { lineOf, widthsOf } from '../../text/table';
import type { KindName } from '../target';

/** Columns that change with time alone. */
const TIMES = new Set(['DURATION', 'AGE', 'LAST RUN', 'NEXT RUN', 'WHY']);

/** Times in the reason of a state. */
const RETRY = /retries (in \w+|now)/;

/**
 * Returns a function that returns the lines of a list's rows which are new or have changed since
 * its last call, other than by time. The first call also returns the header. An object
 * that was deleted or is no longer selected has a last line.
 */
export function changedLines(kind: KindName): (objects: readonly KubeObject[], options: ListTableOptions) => string[] {
  const printed = new Map<string, string>();
  let widths: number[] | undefined;
  return (objects, options) => {
    const { header, rows } = listTable(kind, objects, options);
    const isFirst = widths === undefined;
    widths ??= widthsOf(header, rows);
    const lines = isFirst ? [lineOf(header, widths)] : [];
    const keys = new Set<string>();
    for (const [index, row] of rows.entries()) {
      const { uid, namespace, name } = objects[index]!.metadata;
      const key = uid ?? `${namespace}/${name}`;
      const content = row.filter((_, column) => !TIMES.has(header[column]!)).join('\t').replace(RETRY, '');
      keys.add(key);
      if (printed.get(key) === content) continue;
      printed.set(key, content);
      lines.push(lineOf(row, widths));
    }
    for (const [key, content] of printed) {
      if (keys.has(key)) continue;
      printed.delete(key);
      const names = content.split('\t').slice(0, header.indexOf('NAME') + 1);
      lines.push(lineOf([...names, 'gone from the list'], widths));
    }
    return lines;
  };
}
