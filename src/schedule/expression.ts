import { Cron } from 'croner';
import { backwardRange, fieldsForCroner } from './fields';
import { suggestedZone, nextChange, offsetAt, isTimeZone } from './time-zone';
import { CRON_FIELDS, cronFieldPattern, DESCRIPTORS, GO_DURATION } from '../api/schedule-rules';

/** Run times of a ScheduledSparkApplication. @internal */
export interface RunTimes {
  /** Time zone of the schedule. */
  readonly timeZone: string;
  /** Milliseconds between runs, with `@every`. */
  readonly interval?: number;
  /** The five fields for croner, without `@every`. */
  readonly fields?: readonly string[];
  /**
   * Returns the first run after an instant, exclusive; undefined if there is none. With `@every` it
   * is relative to the instant, which should be that of a run.
   */
  next(after: Date): Date | undefined;
}

/** Error for a schedule that is invalid, or that never has a run. @internal */
export class ScheduleError extends Error {
  constructor(readonly field: 'schedule' | 'timeZone', readonly value: string, readonly reason: string) {
    super(`${field} = ${JSON.stringify(value)} ${reason}`);
    this.name = 'ScheduleError';
  }
}

/**
 * Parses the fields `schedule` and `timeZone` of a ScheduledSparkApplication. A schedule is five
 * fields of cron, a descriptor such as `@daily`, or `@every 1h30m`. A prefix `TZ=<zone> ` or
 * `CRON_TZ=<zone> ` takes precedence over `timeZone`, which still has to be valid. The semantics
 * are those of github.com/robfig/cron v3.
 *
 * A run starts at each minute at which the clocks of the zone match the expression. A time that
 * they skip when they are set forward has no run; one that they show twice when they are set back
 * has two.
 * @throws ScheduleError
 * @internal
 */
export function parseSchedule(schedule: string, timeZone?: string): RunTimes {
  const prefixed = /^(?:CRON_)?TZ=([^\s]*)\s+([^]*)$/.exec(schedule.trim());
  const beside = zoneOf('timeZone', timeZone ?? '', timeZone ?? '');
  const zone = prefixed ? zoneOf('schedule', prefixed[1]!, schedule) : beside;
  const text = (prefixed ? prefixed[2]! : schedule).trim();
  const refuse = (reason: string) => new ScheduleError('schedule', schedule, reason);
  if (text.startsWith('@every')) return every(text, zone, refuse);
  if (text.startsWith('@') && !Object.hasOwn(DESCRIPTORS, text)) {
    throw refuse(`has the unknown descriptor ${text}; known are ${[...Object.keys(DESCRIPTORS), '@every <duration>'].join(', ')}`);
  }
  return cron(Object.hasOwn(DESCRIPTORS, text) ? DESCRIPTORS[text]! : text, zone, refuse);
}

type Refuse = (reason: string) => ScheduleError;

/** Without a name, and for kubeflow's `Local`, the zone is that of the operator's image. */
function zoneOf(field: 'schedule' | 'timeZone', name: string, value: string): string {
  if (name === '' || name === 'Local' || name === 'UTC') return 'UTC';
  if (isTimeZone(name)) return name;
  const meant = suggestedZone(name);
  const reason = meant
    ? `an ambiguous abbreviation; write ${meant} if you mean that`
    : 'not a known time zone; write a name of the IANA database, such as Europe/Berlin or UTC';
  throw new ScheduleError(field, value, `${field === 'schedule' ? `names ${JSON.stringify(name)}, which is` : 'is'} ${reason}`);
}

function cron(text: string, timeZone: string, refuse: Refuse): RunTimes {
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== CRON_FIELDS.length) {
    throw refuse(
      'must have five fields (minute, hour, day of the month, month, day of the week), be a descriptor such as @daily, '
      + `or @every and a duration; it has ${fields.length === 1 ? '1 field' : `${fields.length} fields`}`,
    );
  }
  for (const [index, field] of CRON_FIELDS.entries()) {
    if (!new RegExp(`^${cronFieldPattern(field)}$`).test(fields[index]!)) {
      throw refuse(`has ${JSON.stringify(fields[index])} for the ${field.name}; ${allowed(index)}`);
    }
    const range = backwardRange(fields[index]!, index);
    if (range !== undefined) {
      throw refuse(`has ${range} for the ${field.name}, which ends before it begins; write it as two, with a comma between them`);
    }
  }
  const asRead = fieldsForCroner(fields);
  let wall: Cron;
  try {
    // Always in UTC: results represent local times of any zone.
    wall = new Cron(asRead.join(' '), { timezone: 'UTC', mode: '5-part', paused: true });
  } catch (error) {
    throw refuse(`is not a cron expression: ${(error as Error).message.replace(/^CronPattern: /, '')}`);
  }
  const times: RunTimes = { timeZone, fields: asRead, next: (after) => nextByClocks(wall, timeZone, after) };
  // Leap days are at most eight years apart.
  if (!wall.nextRun(new Date(0))) throw refuse('never has a run: those months have no such day; write another day, or other months');
  return times;
}

function allowed(index: number): string {
  const { min, max, words } = CRON_FIELDS[index]!;
  const [first, last] = [words[0], words[words.length - 1]];
  const names = words.length > 0 ? ` or names from ${first} to ${last}` : '';
  const sunday = index === 4 ? '; Sunday is 0' : '';
  return `it can be * or have numbers from ${min} to ${max}${names}, as 1,2, as 1-5 or with steps as */5${sunday}`;
}

/**
 * Returns the next run. When clocks change before it, the search starts again from the change;
 * until then the offset from UTC is constant.
 */
function nextByClocks(wall: Cron, timeZone: string, after: Date): Date | undefined {
  let [from, since] = [after.getTime(), after.getTime()];
  for (;;) {
    const offset = offsetAt(timeZone, since);
    const shown = wall.nextRun(new Date(from + offset));
    if (!shown) return undefined;
    const run = shown.getTime() - offset;
    const change = nextChange(timeZone, since, run);
    if (change === undefined) return new Date(run);
    // A run can be at the moment of the change itself.
    [from, since] = [change - 1, change];
  }
}

const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses `@every`: whole seconds, at least one. */
function every(text: string, timeZone: string, refuse: Refuse): RunTimes {
  const duration = /^@every (.+)$/.exec(text)?.[1] ?? '';
  if (!new RegExp(`^${GO_DURATION}$`).test(duration)) {
    throw refuse(`has ${JSON.stringify(duration)} for a duration; write hours, minutes and seconds as in @every 1h30m or @every 90s`);
  }
  let milliseconds = 0;
  for (const [, number, unit] of duration.matchAll(/([0-9.]+)([a-zµμ]+)/g)) milliseconds += Number(number) * UNITS[unit!]!;
  const distance = Math.max(1, Math.floor(milliseconds / 1000 + 1e-9)) * 1000;
  if (!Number.isFinite(new Date(distance).getTime())) throw refuse('is a longer time than there is');
  const next = (after: Date) => {
    const run = new Date(Math.floor(after.getTime() / 1000) * 1000 + distance);
    // Undefined beyond JavaScript's maximum date.
    return Number.isNaN(run.getTime()) ? undefined : run;
  };
  return { timeZone, interval: distance, next };
}
