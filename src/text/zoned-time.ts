import { offsetAt } from '../schedule/time-zone';

/**
 * Returns a time as the clocks of a time zone show it, with the offset from UTC, such as
 * `2026-03-02T02:30:00+01:00`; in UTC it ends with `Z`.
 *
 * @param time milliseconds since 1970
 * @param timeZone name of the IANA database
 */
export function zonedTime(time: number, timeZone: string): string {
  const offset = offsetAt(timeZone, time);
  const local = new Date(time + offset).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
  if (offset === 0) return `${local}Z`;
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${local}${offset < 0 ? '-' : '+'}${hour}:${minute}`;
}

/** Returns the time zone of this machine: a name of the IANA database. */
export function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
