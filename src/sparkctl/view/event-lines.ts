import { shortDuration } from '../../text/duration';
import type { Paint } from '../../text/colours';
import { wrappedTableLines } from '../../text/wrapped-table';
import { printable } from '../../text/printable';
import { countOf, preciseTimeOf, type Event } from './events';
import { oneLine } from './rows';

/** Columns that are shortened in a narrow terminal. The end of a name differs from others. */
const SHORTENED = [{ title: 'OBJECT', least: 20, at: 'middle' }, { title: 'REASON', least: 20, at: 'end' }] as const;

/** Returns a table of events. Messages wrap, as they are the most important column. */
export function eventLines(events: readonly Event[], now: number, paint: Paint, columns?: number): string[] {
  const rows = events.map((event) => {
    const count = countOf(event);
    const { kind = '', name = '' } = event.involvedObject;
    return [
      `${shortDuration(now - preciseTimeOf(event))}${count > 1 ? ` (x${count})` : ''}`,
      event.type === 'Warning' ? paint('Warning', 'yellow') : printable(event.type ?? ''),
      printable(event.reason ?? ''),
      printable(`${kind.toLowerCase()}/${name}`),
      oneLine(event.message ?? ''),
    ];
  });
  return wrappedTableLines(['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'], rows, columns, SHORTENED);
}
