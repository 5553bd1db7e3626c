import { setImmediate } from 'node:timers/promises';
import { HttpError } from './http';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { timeIn } from '../../model/scheduled-spark-application';
import { nextRuns } from '../../schedule/next-runs';
import { parseSchedule, ScheduleError, type RunTimes } from '../../schedule/expression';
import type { PlannedRuns } from '../wire';

/** Schedules that can be asked for at once: what fits on a screen, and some more. */
const MOST_SCHEDULES = 200;

/** Runs of one schedule that are told; so many marks are a line on any screen. */
const MOST_RUNS = 500;

/** Runs that are looked for in one go, in some milliseconds; in between it is the turn of other requests. */
const RUNS_AT_ONCE = 50;

/** The longest time that can be asked for, in milliseconds. */
const LONGEST = 32 * 24 * 3_600_000;

/** A span of time, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * What a query asks for.
 *
 * @throws {HttpError} 400
 */
export function spanOf(query: URLSearchParams): Span {
  const [from, to] = ['from', 'to'].map((name) => Number(query.get(name) ?? Number.NaN)) as [number, number];
  if (!Number.isFinite(from) || !Number.isFinite(to) || to < from || to - from > LONGEST) throw new HttpError(400, 'from and to must be milliseconds since 1970, at most 32 days apart');
  return { from, to };
}

/**
 * The schedules that a query asks for, as `namespace/name`.
 *
 * @throws {HttpError} 400
 */
export function keysOf(query: URLSearchParams): string[] {
  const keys = query.getAll('key');
  if (keys.length > MOST_SCHEDULES) throw new HttpError(400, `at most ${MOST_SCHEDULES} schedules can be asked for at once`);
  return keys;
}

/**
 * When schedules are due within a span. Those that are suspended, and those that cannot be read, have no runs.
 *
 * @param isGone whether nobody waits for it any more; what is not known by then is left out
 */
export async function plannedRuns(schedules: Readonly<Record<string, ScheduledSparkApplication>>, span: Span, isGone = () => false): Promise<PlannedRuns> {
  const planned: Record<string, readonly number[]> = {};
  for (const [key, schedule] of Object.entries(schedules)) {
    if (isGone()) break;
    planned[key] = await runsOf(schedule, span);
    await setImmediate();
  }
  return planned;
}

async function runsOf({ metadata, spec, status }: ScheduledSparkApplication, { from, to }: Span): Promise<number[]> {
  if (spec.suspend) return [];
  try {
    const times = parseSchedule(spec.schedule, spec.timeZone);
    // What is due every so often counts from the run before.
    const anchor = times.interval === undefined ? undefined : timeIn(status?.nextRun) ?? timeIn(status?.lastRun) ?? timeIn(metadata.creationTimestamp);
    const start = anchor === undefined ? from - 1 : from - 1 - mod(from - 1 - anchor, times.interval!);
    return (await runsAfter(times, new Date(start), new Date(to))).map((run) => run.getTime()).filter((run) => run >= from);
  } catch (error) {
    if (error instanceof ScheduleError) return [];
    throw error;
  }
}

async function runsAfter(times: RunTimes, start: Date, end: Date): Promise<Date[]> {
  const runs: Date[] = [];
  while (runs.length < MOST_RUNS) {
    const more = nextRuns(times, RUNS_AT_ONCE, runs.at(-1) ?? start, end);
    runs.push(...more);
    if (more.length < RUNS_AT_ONCE) break;
    await setImmediate();
  }
  return runs;
}

/** Never negative, unlike `%`. */
function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
