import { setImmediate } from 'node:timers/promises';
import { HttpError } from './http';
import { beginOfRuns } from '../../model/begin-of-runs';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { nextRuns } from '../../schedule/next-runs';
import { parseSchedule, ScheduleError, type RunTimes } from '../../schedule/expression';
import { MAX_PLANNED_RUNS, type PlannedRuns } from '../wire-runs';

/** Maximum number of schedules in one request: more than fit on a screen. */
const MAX_SCHEDULES = 200;

/** Runs that are computed at a time, within milliseconds; other requests are served in between. */
const BATCH = 50;

/** Maximum length of the span, in milliseconds. */
const MAX_SPAN = 32 * 24 * 3_600_000;

/** Span of time, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the span of a query.
 *
 * @throws {HttpError} 400
 */
export function spanOf(query: URLSearchParams): Span {
  const [from, to] = ['from', 'to'].map((name) => Number(query.get(name) ?? Number.NaN)) as [number, number];
  if (!Number.isFinite(from) || !Number.isFinite(to) || to < from || to - from > MAX_SPAN) {
    throw new HttpError(400, 'from and to must be milliseconds since 1970, at most 32 days apart');
  }
  return { from, to };
}

/**
 * Reads the schedules of a query, as `namespace/name`.
 *
 * @throws {HttpError} 400
 */
export function keysOf(query: URLSearchParams): string[] {
  const keys = query.getAll('key');
  if (keys.length > MAX_SCHEDULES) throw new HttpError(400, `at most ${MAX_SCHEDULES} schedules are allowed in one request`);
  return keys;
}

/**
 * Computes when schedules are due within a span. Suspended and invalid schedules have no runs.
 *
 * @param isGone whether the client has disconnected; remaining schedules are then omitted
 */
export async function plannedRuns(
  schedules: Readonly<Record<string, ScheduledSparkApplication>>, span: Span, isGone = () => false,
): Promise<PlannedRuns> {
  const planned: Record<string, readonly number[]> = {};
  for (const [key, schedule] of Object.entries(schedules)) {
    if (isGone()) break;
    planned[key] = await runsOf(schedule, span);
    await setImmediate();
  }
  return planned;
}

async function runsOf(schedule: ScheduledSparkApplication, { from, to }: Span): Promise<number[]> {
  const { spec } = schedule;
  if (spec.suspend) return [];
  try {
    const times = parseSchedule(spec.schedule, spec.timeZone);
    const runs = await runsAfter(times, new Date(beginOfRuns(schedule, times, from - 1)), new Date(to));
    return runs.map((run) => run.getTime()).filter((run) => run >= from);
  } catch (error) {
    if (error instanceof ScheduleError) return [];
    throw error;
  }
}

async function runsAfter(times: RunTimes, start: Date, end: Date): Promise<Date[]> {
  const runs: Date[] = [];
  while (runs.length < MAX_PLANNED_RUNS) {
    const more = nextRuns(times, BATCH, runs.at(-1) ?? start, end);
    runs.push(...more);
    if (more.length < BATCH) return runs;
    await setImmediate();
  }
  // So many marks look like a line; a few of the other runs extend it to the end, without gaps.
  const step = (end.getTime() - start.getTime()) / (2 * MAX_PLANNED_RUNS);
  for (;;) {
    const [run] = nextRuns(times, 1, new Date(runs.at(-1)!.getTime() + step), end);
    if (!run) return runs;
    runs.push(run);
    if (runs.length % BATCH === 0) await setImmediate();
  }
}
