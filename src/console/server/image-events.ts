import { foldImageEvents } from '../../model/image-events';
import type { EventRow } from '../wire';

/** Folds the repeated events about an image that cannot be pulled into one row. */
export function foldedRows(rows: readonly EventRow[]): EventRow[] {
  const events = rows.map((row) => {
    const [kind, name] = row.about.split('/', 2);
    const { reason, message, count, last } = row;
    return { row, reason, message, count, lastTimestamp: new Date(last).toISOString(), involvedObject: { kind, name } };
  });
  return foldImageEvents(events, (event) => Date.parse(event.lastTimestamp)).map(({ row, count, lastTimestamp }) => (
    { ...row, count, last: Date.parse(lastTimestamp) }
  ));
}
