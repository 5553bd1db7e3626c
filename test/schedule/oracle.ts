/* Independent ways to find runs: they check every minute. */

const RANGES = [[0, 59], [0, 23], [1, 31], [1, 12], [0, 6]] as const;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

interface Field {
  readonly values: ReadonlySet<number>;
  /** Whether it has `*`, so that the other kind of days decides. */
  readonly isOpen: boolean;
}

function fieldOf(text: string, [min, max]: readonly [number, number]): Field {
  const values = new Set<number>();
  let isOpen = false;
  for (const entry of text.split(',')) {
    const [range, by = '1'] = entry.split('/') as [string, string?];
    const [first, last] = range === '*' ? [min, max] : range.includes('-') ? range.split('-').map(Number) as [number, number] : [Number(range), entry.includes('/') ? max : Number(range)];
    if (range === '*' && Number(by) === 1) isOpen = true;
    for (let value = first; value <= last; value += Number(by)) values.add(value);
  }
  return { values, isOpen };
}

/**
 * Returns the minutes in (after, end], in milliseconds, at which the clocks of a zone match an
 * expression of numbers.
 */
export function runsByMinutes(expression: string, timeZone: string, after: number, end: number): number[] {
  const [minute, hour, day, month, weekDay] = expression.split(' ').map((text, index) => fieldOf(text, RANGES[index]!)) as [Field, Field, Field, Field, Field];
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', weekday: 'short', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' });
  const runs: number[] = [];
  for (let instant = Math.floor(after / 60_000) * 60_000; instant <= end; instant += 60_000) {
    if (instant <= after) continue;
    const shown = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, value]));
    const isDay = day.values.has(Number(shown.day));
    const isWeekDay = weekDay.values.has(WEEKDAYS.indexOf(shown.weekday!));
    const days = day.isOpen || weekDay.isOpen ? isDay && isWeekDay : isDay || isWeekDay;
    if (days && minute.values.has(Number(shown.minute)) && hour.values.has(Number(shown.hour)) && month.values.has(Number(shown.month))) runs.push(instant);
  }
  return runs;
}

/**
 * Returns the same for years. It reads the clocks every quarter of an hour, as everywhere all
 * changes since 1987 (Nepal) were at these times, and derives the minutes in between.
 */
export function runsByQuarters(expression: string, timeZone: string, after: number, end: number): number[] {
  const [minute, hour, day, month, weekDay] = expression.split(' ').map((text, index) => fieldOf(text, RANGES[index]!)) as [Field, Field, Field, Field, Field];
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', weekday: 'short', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' });
  const runs: number[] = [];
  for (let quarter = Math.floor(after / 900_000) * 900_000; quarter <= end; quarter += 900_000) {
    const [, shownWeekDay, ...shown] = /(\w+), (\d+)\/(\d+), (\d+):(\d+)/.exec(clock.format(quarter))!;
    const [shownMonth, shownDay, shownHour, shownMinute] = shown.map(Number) as [number, number, number, number];
    const isDay = day.values.has(shownDay);
    const isWeekDay = weekDay.values.has(WEEKDAYS.indexOf(shownWeekDay!));
    const days = day.isOpen || weekDay.isOpen ? isDay && isWeekDay : isDay || isWeekDay;
    if (!days || !month.values.has(shownMonth) || !hour.values.has(shownHour)) continue;
    for (let minutes = 0; minutes < 15; minutes++) {
      const instant = quarter + minutes * 60_000;
      if (instant > after && instant <= end && minute.values.has(shownMinute + minutes)) runs.push(instant);
    }
  }
  return runs;
}
