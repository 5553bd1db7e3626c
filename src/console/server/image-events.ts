import { foldImageEvents } from '../../model/image-events';
import type { EventRow } from '../wire';

/** Row of an event, and its time with a fraction of a second. */
export interface TimedRow {
  readonly row: EventRow;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Folds the repeated events about an image that cannot be pulled into one row. */
export function foldedRows(rows: readonly TimedRow[]): EventRow[] {
  const events = rows.map(({ row, time }) => {
    const [kind, name] = row.about.split('/', 2);
    const { reason, message, count, last } = row;
    const lastTimestamp = new Date(last).toISOString();
    return { row, time, reason, message, count, lastTimestamp, involvedObject: { kind, name } };
  });
  // The time of a folded event is that of the newest failure.
  const folded = foldImageEvents(events, ({ time, lastTimestamp }) => Math.max(time, Date.parse(lastTimestamp)));
  return folded.map(({ row, count, lastTimestamp }) => ({ ...row, count, last: Date.parse(lastTimestamp) }));
}
