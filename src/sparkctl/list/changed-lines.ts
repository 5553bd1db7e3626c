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
 * its last call, other than by time. The header precedes the first line, and lines for which the
 * columns become wider. An object that was deleted or is no longer selected has a last line.
 */
export function changedLines(kind: KindName): (objects: readonly KubeObject[], options: ListTableOptions) => string[] {
  const printed = new Map<string, string>();
  let widths: number[] | undefined;
  return (objects, options) => {
    const { header, rows } = listTable(kind, objects, options);
    const changed: (readonly string[])[] = [];
    const keys = new Set<string>();
    for (const [index, row] of rows.entries()) {
      const { uid, namespace, name } = objects[index]!.metadata;
      const key = uid ?? `${namespace}/${name}`;
      const content = row.filter((_, column) => !TIMES.has(header[column]!)).join('\t').replace(RETRY, '');
      keys.add(key);
      if (printed.get(key) === content) continue;
      printed.set(key, content);
      changed.push(row);
    }
    const wider = widthsOf(header, changed).map((width, column) => Math.max(width, widths?.[column] ?? 0));
    // The last column shifts no others.
    const isSame = widths?.every((width, column) => column === header.length - 1 || width === wider[column]) ?? false;
    widths = isSame ? widths! : wider;
    const lines = [...(isSame ? [] : [header]), ...changed].map((row) => lineOf(row, wider));
    for (const [key, content] of printed) {
      if (keys.has(key)) continue;
      printed.delete(key);
      const names = content.split('\t').slice(0, header.indexOf('NAME') + 1);
      lines.push(lineOf([...names, 'gone from the list'], wider));
    }
    return lines;
  };
}
