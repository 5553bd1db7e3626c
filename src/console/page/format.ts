import { printable } from '../../text/printable';
import type { ApplicationDetail, RoleFacts } from '../wire';

const UNITS = [['d', 86_400_000], ['h', 3_600_000], ['m', 60_000], ['s', 1_000]] as const;

/** Formats a duration in its largest unit, such as `3m`, for columns. */
export function ageText(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => milliseconds >= each) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(milliseconds / size))}${unit}`;
}

const FULL = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium', timeStyle: 'long',
});
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** Digits of an hour, as in the locale's own style of times. */
const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hour12 ? 'numeric' : '2-digit';
const SHORT = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour, minute: '2-digit' });
const MOMENT = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour, minute: '2-digit', second: '2-digit' });

/** Formats a date and time in the user's time zone. */
export function dateTimeText(time: number): string {
  return DATE_TIME.format(time);
}

/** Formats a date and time with the user's time zone. */
export function fullTimeText(time: number): string {
  return FULL.format(time);
}

/** Formats a time of day. */
export function timeText(time: number): string {
  return TIME.format(time);
}

/** Formats a date and time without the year and the seconds. */
export function shortTimeText(time: number): string {
  return SHORT.format(time);
}

/** Formats a date and time without the year. */
export function momentText(time: number): string {
  return MOMENT.format(time);
}

/** Formats the marks of a time axis: midnight as a date, and with seconds if others are alike. */
export function axisTexts(marks: readonly number[]): string[] {
  const isDaily = marks.length > 1 && marks[1]! - marks[0]! >= 86_400_000;
  const clock = marks.some((time) => time % 60_000 !== 0) ? TIME : CLOCK;
  return marks.map((time) => (isDaily || new Date(time).setHours(0, 0, 0, 0) === time ? DAY : clock).format(time));
}

/**
 * Escapes a text of the cluster for display: control characters and characters that change the
 * writing direction become visible.
 */
export function shown(text: string): string {
  return printable(text.replaceAll('\t', '    '));
}

/**
 * Formats the time of a log line in UTC, as in a downloaded log and in Spark's own lines; all have
 * the same length.
 */
export function logTimeText(time: string | undefined): string {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? ' '.repeat(LOG_TIME_LENGTH) : `${date.toISOString()} `;
}

const LOG_TIME_LENGTH = '2026-03-01T10:00:00.000Z '.length;

/** Removes a log line's terminal colour codes. */
export function logLine(line: string): string {
  // eslint-disable-next-line no-control-regex
  return shown(line.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r$/, ''));
}

/** Begins a sentence with a capital letter, and ends it with a full stop, unless it has one. */
export function sentenceText(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Formats a count, such as `1 event` or `2 events`. */
export function countText(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

/**
 * Formats the number of attempts, which is counted again after a change, a resumption and a rerun.
 *
 * @param current number of the current run
 * @param all number of all runs together, if it is known
 */
export function attemptsText(current: number, all: number): string {
  return current === 0 || all <= current ? String(Math.max(current, all)) : `${current} (${all} with earlier runs)`;
}

/** Returns the name of the driver's pod, and whether it does not exist; undefined without one. */
export function driverPodText({ driverPod, noDriver }: Pick<ApplicationDetail, 'driverPod' | 'noDriver'>): string | undefined {
  return driverPod === undefined || noDriver === undefined ? driverPod : `${driverPod} (does not exist)`;
}

/** Returns the resources of a role, such as `4 × 2 cores (request 500m), 4g`. */
export function roleText({ instances, cores, cpu, memory }: RoleFacts): string {
  const each = [cores && `${cores} ${cores === '1' ? 'core' : 'cores'}${cpu ? ` (${cpu})` : ''}`, memory].filter(Boolean).join(', ');
  return instances === undefined ? each : /^\d+$/.test(instances) ? `${instances} × ${each}` : `${instances}; each ${each}`;
}

/** Returns the display text of a state; before the first reconcile the state is empty. */
export function stateText(state: string): string {
  return state === '' ? 'NEW' : state;
}

/** Returns the category of a state, for its colour; colour is never the only sign. */
export function toneOf(state: string): 'good' | 'bad' | 'busy' | 'waiting' | 'off' {
  if (['COMPLETED', 'SUCCEEDING', 'Scheduled'].includes(state)) return 'good';
  if (['FAILED', 'FAILING', 'SUBMISSION_FAILED', 'UNKNOWN', 'FailedValidation'].includes(state)) return 'bad';
  if (state === 'RUNNING') return 'busy';
  return ['SUSPENDED', 'SUSPENDING', 'Suspended', 'STOPPED'].includes(state) ? 'off' : 'waiting';
}
