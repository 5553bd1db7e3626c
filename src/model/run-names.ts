import { createHash } from 'node:crypto';
import type { TimestampPrecision } from './timestamp-precision';
import { boundedValue } from './bounded-metadata';
import type { ScheduledSparkApplication } from './scheduled-spark-application';

/** The Pod of a driver is called `<run>-driver`: with longer names that would be longer than a DNS label, which hosts are called by. */
const MAX_RUN_NAME_LENGTH = 63 - '-driver'.length;

const HASH_LENGTH = 8;

/** The name of the run that is due at a time (milliseconds since the epoch): `<schedule>-<time>`. */
export function runName(schedule: string, time: number, precision: TimestampPrecision): string {
  return named(schedule, timestamp(time, precision));
}

/** The time that a run is for by its name, whatever unit it was named in; undefined if it was asked for. kubeflow's operator names runs by the moment of their creation. */
export function timeOfRunName(schedule: string, name: string): number | undefined {
  const digits = /-(\d{8,19})$/.exec(name)?.[1];
  if (digits === undefined || named(schedule, digits) !== name) return undefined;
  const milliseconds: Readonly<Record<number, number>> = { 8: 60_000, 10: 1_000, 13: 1, 16: 1e-3, 19: 1e-6 };
  const unit = milliseconds[digits.length];
  return unit === undefined ? undefined : Math.floor(Number(digits) * unit);
}

/** The name of the run that a value of the annotation for it asks for: `<schedule>-now-<hash>`. A schedule of the same name that comes later has others. */
export function runNowName({ metadata }: ScheduledSparkApplication, token: string): string {
  return named(metadata.name, `now-${hashOf(`${metadata.uid}/${boundedValue(token)}`).slice(0, 10)}`);
}

/** A hash of texts. */
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
    // Between full minutes there may be several.
    case 'minutes': return seconds % 60 === 0 ? String(seconds / 60) : String(seconds);
  }
}

/** A name that would be too long is cut and gets a hash of what it was cut from. */
function named(schedule: string, suffix: string): string {
  const name = `${schedule}-${suffix}`;
  if (name.length <= MAX_RUN_NAME_LENGTH) return name;
  const beginning = schedule.slice(0, MAX_RUN_NAME_LENGTH - suffix.length - HASH_LENGTH - 2).replace(/[-.]+$/, '');
  return `${beginning}-${hashOf(schedule).slice(0, HASH_LENGTH)}-${suffix}`;
}
