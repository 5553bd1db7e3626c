import type { ScheduleRow } from '../wire';

/** Zone that a cron expression names itself. */
const PREFIX = /^(?:CRON_TZ|TZ)=(\S+)\s/;

/** Formats by zone; there are as many as zones of schedules. */
const FORMATS = new Map<string, Intl.DateTimeFormat | undefined>();

/** The user's zone. */
const OWN = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the time zone of a schedule. */
export function zoneOf({ schedule, timeZone }: Pick<ScheduleRow, 'schedule' | 'timeZone'>): string {
  return PREFIX.exec(schedule)?.[1] ?? timeZone ?? 'UTC';
}

/**
 * Formats a time in another zone, such as `Sat 03:00 Europe/Berlin`; empty in the user's zone, and
 * for a zone that the browser does not know.
 *
 * @param before text before the time
 */
export function zonedText(at: number, zone: string, before = '', own = OWN): string {
  const format = zone === own ? undefined : formatOf(zone);
  return format === undefined ? '' : `${before}${format.format(at)} ${zone}`;
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!FORMATS.has(zone)) FORMATS.set(zone, newFormat(zone));
  return FORMATS.get(zone);
}

function newFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' });
  } catch {
    return undefined;
  }
}
