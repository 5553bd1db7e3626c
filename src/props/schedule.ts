import { Duration } from 'cdk8s';
import { rejectArguments, wrongSeconds } from './_check';
import { checkArguments, duration, text, textOrNumber } from './_prop-types';
import { parseSchedule, ScheduleError } from '../schedule/expression';

/**
 * Fields of a cron expression: `5`, `1,15`, `9-17`, `0-59/10`. The default of a field depends on
 * the others: the first moment of a larger unit, such as minute 0 of an hour, or all days for a
 * time of day.
 */
export interface ScheduleOptions {
  /**
   * Minutes, from 0 to 59.
   *
   * @default - 0
   */
  readonly minute?: string;

  /**
   * Hours, from 0 to 23.
   *
   * @default - every hour if only minutes are given, else 0
   */
  readonly hour?: string;

  /**
   * Days of the month, from 1 to 31. If `weekDay` is also set, a day must match only one of them.
   *
   * @default - 1 if months and no days of the week are set, else every day
   */
  readonly day?: string;

  /**
   * Months, from 1 to 12 or from `jan` to `dec`.
   *
   * @default - every month
   */
  readonly month?: string;

  /**
   * Days of the week, from 0 (Sunday) to 6 or from `sun` to `sat`.
   *
   * @default - every day
   */
  readonly weekDay?: string;
}

/** A JavaScript program can write numbers. */
const FIELDS = { minute: textOrNumber, hour: textOrNumber, day: textOrNumber, month: textOrNumber, weekDay: textOrNumber } as const;

/** Schedule of an application. Expressions that are invalid or never match are rejected. */
export class Schedule {
  /**
   * The five fields of cron: minute, hour, day of the month, month, day of the week.
   *
   * @param expression Such as `0 3 * * mon-fri`.
   */
  public static cron(expression: string): Schedule {
    checkArguments('Schedule.cron', { expression }, { expression: text });
    if (/^\s*@/.test(expression)) {
      throw new Error(`Schedule.cron: expression = ${JSON.stringify(expression)} does not have five fields: use Schedule.expression(…)`);
    }
    return Schedule.checked('cron', expression);
  }

  /**
   * Runs at the times that match the fields: `{ hour: '3' }` is 3:00 each day, `{ hour: '9-17',
   * weekDay: 'mon-fri' }` each full working hour, `{ day: '1' }` the beginning of each month.
   *
   * @param options At least one field.
   */
  public static at(options: ScheduleOptions): Schedule {
    options = checkArguments('Schedule.at', { options }, { options: FIELDS }).options;
    const { minute, hour, day, month, weekDay } = options;
    if ([minute, hour, day, month, weekDay].every((field) => field === undefined)) {
      throw new Error('Schedule.at: options are empty: set at least one field, such as hour');
    }
    for (const [name, field] of Object.entries(options)) {
      if (field !== undefined && !/^\S+$/.test(field)) {
        throw new Error(`Schedule.at: ${name} = ${JSON.stringify(field)} must be one field of cron, without blanks`);
      }
    }
    const places = { minute, hour, day, month, weekDay };
    for (const [name, field] of Object.entries(places)) {
      if (field === undefined) continue;
      const reason = reasonOf(Object.keys(places).map((other) => (other === name ? field : '*')).join(' '));
      // Invalid combinations, such as February 30, are checked for all fields together below.
      if (reason !== undefined) throw new Error(`Schedule.at: ${name} = ${JSON.stringify(field)} ${reason}`);
    }
    const isDaily = day !== undefined || weekDay !== undefined || month !== undefined;
    return Schedule.checked('at', [
      minute ?? '0',
      hour ?? (isDaily ? '0' : '*'),
      day ?? (month !== undefined && weekDay === undefined ? '1' : '*'),
      month ?? '*',
      weekDay ?? '*',
    ].join(' '));
  }

  /**
   * Runs at a fixed interval, independent of the time of day: each run is this long after the
   * previous one.
   *
   * @param interval Whole seconds, at least one.
   */
  public static every(interval: Duration): Schedule {
    checkArguments('Schedule.every', { interval }, { interval: duration });
    rejectArguments('Schedule.every', [wrongSeconds('interval', interval)]);
    const seconds = interval.toSeconds();
    const parts: [number, string][] = [[Math.floor(seconds / 3600), 'h'], [Math.floor(seconds / 60) % 60, 'm'], [seconds % 60, 's']];
    return Schedule.checked('every', `@every ${parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`).join('')}`);
  }

  /**
   * Expression of a manifest: a cron expression, `@hourly`, `@daily`, `@weekly`, `@monthly`,
   * `@yearly`, or `@every 1h30m`, with an optional prefix such as `TZ=Europe/Berlin`.
   *
   * @param expression Such as `@daily`.
   */
  public static expression(expression: string): Schedule {
    checkArguments('Schedule.expression', { expression }, { expression: text });
    return Schedule.checked('expression', expression);
  }

  private static checked(factory: string, expression: string): Schedule {
    const reason = reasonOf(expression);
    if (reason !== undefined) {
      rejectArguments(`Schedule.${factory}`, [{ path: factory === 'at' ? 'options' : 'expression', value: expression, reason }]);
    }
    return new Schedule(expression.trim());
  }

  private constructor(private readonly definition: string) {}

  /** @internal */
  public _toExpression(): string {
    return this.definition;
  }
}

/** Returns the reason why an expression is invalid. */
function reasonOf(expression: string): string | undefined {
  try {
    parseSchedule(expression);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return error.reason;
    throw error;
  }
}
