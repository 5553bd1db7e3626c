import { createHash } from 'node:crypto';
import type { TimestampPrecision } from './timestamp-precision';
import { boundedValue } from './bounded-metadata';
import type { ScheduledSparkApplication } from './scheduled-spark-application';

/**
 * Maximum length of a run's name. The driver's Pod is named `<run>-driver`, which is also a host
 * name: a DNS label.
 */
const MAX_RUN_NAME_LENGTH = 63 - '-driver'.length;

const HASH_LENGTH = 8;

/**
 * Returns the name of the run for a scheduled time in milliseconds since the epoch:
 * `<schedule>-<time>`.
 */
export function runName(schedule: string, time: number, precision: TimestampPrecision): string {
  return named(schedule, timestamp(time, precision));
}

/**
 * Returns the scheduled time that a run's name contains, in milliseconds since the epoch. It reads
 * every unit.
 *
 * In names that kubeflow's operator gave, this is the time of creation.
 *
 * @returns undefined for run-now names
 */
export function timeOfRunName(schedule: string, name: string): number | undefined {
  const digits = /-(\d{8,19})$/.exec(name)?.[1];
  if (digits === undefined || named(schedule, digits) !== name) return undefined;
  const milliseconds: Readonly<Record<number, number>> = { 8: 60_000, 10: 1_000, 13: 1, 16: 1e-3, 19: 1e-6 };
  const unit = milliseconds[digits.length];
  return unit === undefined ? undefined : Math.floor(Number(digits) * unit);
}

/**
 * Returns the name of the run that a value of the run-now annotation requests:
 * `<schedule>-now-<hash>`. The hash contains the schedule's uid, so a recreated schedule uses other
 * names.
 */
export function runNowName({ metadata }: ScheduledSparkApplication, token: string): string {
  return named(metadata.name, `now-${hashOf(`${metadata.uid}/${boundedValue(token)}`).slice(0, 10)}`);
}

/** Returns the SHA-256 hash of a text, in hexadecimal. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function timestamp(time: number, precision: TimestampPrecision): string {
  const seconds = Math.floor(time / 1000);
  switch (precision) {
    case 'nanos': return `${seconds}000000000`;
    case 'micros': return `${seconds}000000`;
    case 'millis': return `${seconds}000`;
    case 'seconds': return String(seconds);
    // Several runs are possible within one minute.
    case 'minutes': return seconds % 60 === 0 ? String(seconds / 60) : String(seconds);
  }
}

/**
 * Returns `<schedule>-<suffix>`. If that is too long, shortens the schedule's name and adds a hash
 * of it.
 */
function named(schedule: string, suffix: string): string {
  const name = `${schedule}-${suffix}`;
  if (name.length <= MAX_RUN_NAME_LENGTH) return name;
  const beginning = schedule.slice(0, MAX_RUN_NAME_LENGTH - suffix.length - HASH_LENGTH - 2).replace(/[-.]+$/, '');
  return `${beginning}-${hashOf(schedule).slice(0, HASH_LENGTH)}-${suffix}`;
}
