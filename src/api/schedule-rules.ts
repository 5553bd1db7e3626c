/*
 * Grammar of a schedule as kubeflow/spark-operator reads it, by github.com/robfig/cron v3. The
 * patterns use only backslashes that CEL, RE2 and JavaScript treat alike, so that the CRD and the
 * constructs share them.
 */

/**
 * A field of a cron expression.
 * @internal
 */
export interface CronField {
  /** Name in error messages. */
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Pattern of one value. */
  readonly value: string;
  /** Words for `min` and the following values. */
  readonly words: readonly string[];
}

/**
 * The five fields in order. Sunday is only 0: other crons also accept 7.
 * @internal
 */
export const CRON_FIELDS: readonly CronField[] = [
  { name: 'minute', min: 0, max: 59, value: '0*[0-5]?[0-9]', words: [] },
  { name: 'hour', min: 0, max: 23, value: '0*(1?[0-9]|2[0-3])', words: [] },
  { name: 'day of the month', min: 1, max: 31, value: '0*([1-9]|[12][0-9]|3[01])', words: [] },
  {
    name: 'month', min: 1, max: 12, value: '0*([1-9]|1[0-2])',
    words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of the week', min: 0, max: 6, value: '0*[0-6]', words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

/**
 * Cron expressions of the descriptors.
 * @internal
 */
export const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/**
 * A duration in Go's format, such as `1h30m`.
 * @internal
 */
export const GO_DURATION = '[+]?(([0-9]+([.][0-9]*)?|[.][0-9]+)(ns|us|µs|μs|ms|s|m|h))+';

/**
 * Name of a time zone, such as `Europe/Berlin`.
 * @internal
 */
export const TIME_ZONE = '[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*';

/**
 * Returns the pattern of a whole field, such as `1-5,20/2`.
 * @internal
 */
export function cronFieldPattern({ value, words }: CronField): string {
  const one = words.length === 0 ? value : `(${[value, ...words.map(inAnyCase)].join('|')})`;
  const entry = `([*?]|${one}(-${one})?)(/0*[1-9][0-9]*)?`;
  return `,*${entry}(,+${entry})*,*`;
}

/** Returns a pattern for any case, as JavaScript does not support `(?i)`. */
function inAnyCase(word: string): string {
  return [...word].map((letter) => `[${letter}${letter.toUpperCase()}]`).join('');
}

const BLANK = '[ \\t\\r\\n]';
const EXPRESSION = `^${BLANK}*((CRON_)?TZ=${TIME_ZONE}${BLANK}+)?(${[
  ...Object.keys(DESCRIPTORS),
  `@every ${GO_DURATION}`,
  CRON_FIELDS.map(cronFieldPattern).join(`${BLANK}+`),
].join('|')})${BLANK}*$`;

/**
 * The CRD's rules for a schedule. A pattern cannot check that a range is in order, that its days
 * exist or that its time zone is known.
 * @internal
 */
export const SCHEDULE_RULES: readonly { readonly rule: string; readonly message: string }[] = [{
  rule: `self.matches('${EXPRESSION}')`,
  message: 'must be a cron expression of five fields such as 0 3 * * mon-fri, a descriptor such as @daily, '
    + 'or @every and a duration such as @every 1h30m',
}];

/**
 * The CRD's rules for a time zone.
 * @internal
 */
export const TIME_ZONE_RULES: readonly { readonly rule: string; readonly message: string }[] = [{
  rule: `self.matches('^(${TIME_ZONE})?$')`,
  message: 'must be the name of a time zone such as Europe/Berlin',
}];
