import type { RunTimes } from './expression';
import { CRON_FIELDS } from '../api/schedule-rules';

const DAY = 24 * 60;

/** Years after which days of the week and leap days repeat. */
const CYCLE = 28;

/**
 * Returns the shortest time between two runs of a schedule, in milliseconds, as clocks show it: a
 * change to or from daylight saving time is ignored.
 *
 * @internal
 */
export function shortestInterval({ interval, fields }: Pick<RunTimes, 'interval' | 'fields'>): number {
  return interval ?? shortestOf(fields!) * 60_000;
}

/** Returns the shortest interval in minutes of the fields for croner. */
function shortestOf(fields: readonly string[]): number {
  const [minutes, hours] = fields.map(valuesOf) as [number[], number[]];
  const times = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
  const withinDay = times.slice(1).map((time, index) => time - times[index]!);
  const overnight = shortestDays(fields) * DAY + times[0]! - times[times.length - 1]!;
  return Math.min(overnight, ...withinDay);
}

/** Returns the smallest number of days between two days with runs. */
function shortestDays(fields: readonly string[]): number {
  const [, , days, months, weekdays] = fields.map((field, index) => new Set(valuesOf(field, index)));
  const areBothSet = fields[2] !== '*' && fields[4] !== '*';
  const isRunDay = (day: number, weekday: number) => {
    const [isDay, isWeekday] = [days!.has(day), weekdays!.has(weekday)];
    return areBothSet ? isDay || isWeekday : isDay && isWeekday;
  };
  let shortest = Infinity;
  let previous: number | undefined;
  // One more year, as the first days of a cycle follow the last ones.
  for (let index = 0, date = new Date(0); date.getUTCFullYear() <= 1970 + CYCLE && shortest > 1; date = new Date(++index * DAY * 60_000)) {
    if (!months!.has(date.getUTCMonth() + 1) || !isRunDay(date.getUTCDate(), date.getUTCDay())) continue;
    if (previous !== undefined) shortest = Math.min(shortest, index - previous);
    previous = index;
  }
  return shortest;
}

/** Returns the values of a field, in ascending order. */
function valuesOf(field: string, index: number): number[] {
  const { min, max } = CRON_FIELDS[index]!;
  const values = new Set<number>();
  for (const entry of field.split(',')) {
    const [range, step = '1'] = entry.split('/') as [string, string?];
    const [first, last = first] = range === '*' ? [min, max] : range.split('-').map(Number) as [number, number?];
    for (let value = first; value <= last; value += Number(step)) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}
