import { FINAL_STATES } from './application-actions';
import { countText, shown } from './format';
import { keyOf, type Rows } from './rows';
import { shortDuration } from '../../text/duration';
import type { ApplicationRow, FinishedRun, ScheduleRow } from '../wire';
import { MAX_PLANNED_RUNS, type SkippedRun } from '../wire-runs';

/** Run of a schedule. */
export interface Run {
  readonly name: string;
  readonly state: string;
  /** Absent for a requested run. */
  readonly scheduledAt?: number;
  readonly created: number;
  readonly begun?: number;
  readonly ended?: number;
  /** Cause of a failure. */
  readonly cause?: string;
  /** Its application; absent if it was deleted. */
  readonly application?: ApplicationRow;
}

/** Groups the applications of schedules by the key of the schedule. */
export function applicationsBySchedule(rows: Rows): ReadonlyMap<string, readonly ApplicationRow[]> {
  const found = new Map<string, ApplicationRow[]>();
  for (const row of rows.applications.values()) {
    if (row.schedule === undefined) continue;
    const key = keyOf({ namespace: row.namespace, name: row.schedule });
    const runs = found.get(key);
    if (runs) runs.push(row);
    else found.set(key, [row]);
  }
  return found;
}

/**
 * Returns the runs of a schedule, the newest first: its applications, and finished ones that were
 * deleted.
 */
export function runsOf({ finished = [] }: ScheduleRow, applications: readonly ApplicationRow[] = []): readonly Run[] {
  const existing = new Set(applications.map(({ name }) => name));
  const deleted = finished.filter(({ name }) => !existing.has(name)).map(runOfRecord);
  return [...applications.map(runOfApplication), ...deleted].sort((a, b) => timeOf(b) - timeOf(a) || (a.name < b.name ? -1 : 1));
}

/** Returns the time for which a run was scheduled, or its creation. */
export function timeOf({ scheduledAt, created }: Run): number {
  return scheduledAt ?? created;
}

/** Returns the duration of a run in milliseconds, with all its attempts; 0 if it has not begun. */
export function runDuration({ created, begun, ended, application }: Run, now: number): number {
  if (application && begun === undefined && ended === undefined) return 0;
  return Math.max(0, (ended ?? now) - created);
}

/** Runs to which the number of many runs is rounded down. */
const ROUND = 100;

/**
 * Returns the number of planned runs in words. Of a frequent schedule only some are known: their
 * number would look like that of all.
 */
export function plannedText(planned: readonly number[], now: number): string {
  const count = planned.filter((at) => at > now).length;
  if (planned.length <= MAX_PLANNED_RUNS) return countText(count, 'run');
  return `more than ${Math.floor((Math.min(count, MAX_PLANNED_RUNS + 1) - 1) / ROUND) * ROUND} runs`;
}

const FIVE_DAYS = 5 * 86_400_000;

/** Returns how many runs are planned, or why that could not be read; empty while it is read. */
export function laterRunsText(planned: readonly number[] | undefined, error: string | undefined, now: number): string {
  // The list begins and ends with an hour.
  if (planned) return ` The next five days have ${plannedText(planned.filter((at) => at <= now + FIVE_DAYS), now)}.`;
  return error === undefined ? '' : ` Later runs cannot be read: ${shown(error)}.`;
}

/** Returns the question before a run is requested, or why the operator would skip the run. */
export function runNow(
  { concurrencyPolicy: policy, suspended }: ScheduleRow, runs: readonly Run[],
): { readonly question: string; readonly disabledReason?: string } {
  const active = runs.find(({ state }) => !FINAL_STATES.includes(state));
  const question = `One run starts now${suspended ? '; the schedule stays suspended' : ', in addition to the scheduled ones'}.`;
  if (!active || policy === undefined) return { question };
  if (policy === 'Replace') return { question: `One run starts now. ${active.name} and any other active run are deleted.` };
  return { question, disabledReason: `${active.name} has not ended, and spec.concurrencyPolicy is ${shown(policy)}` };
}

/** Returns the latest skipped run in words. @param skipped at least one, oldest first */
export function skippedText(skipped: readonly SkippedRun[], now: number): string {
  const { at, message } = skipped.at(-1)!;
  return shown(`Last skipped ${shortDuration(now - at)} ago: ${message.replace(/^Skipped /, '')}`);
}

/**
 * Returns that the latest run does not exist any more; undefined if it is among the runs. The
 * status records a run when it ends.
 */
export function deletedRunText({ lastRunName }: ScheduleRow, runs: readonly Run[]): string | undefined {
  if (lastRunName === undefined || runs.some(({ name }) => name === lastRunName)) return undefined;
  return shown(`The latest run, ${lastRunName}, does not exist any more.`);
}

function runOfRecord({ name, scheduledAt, created, ended, state, cause }: FinishedRun): Run {
  return {
    name, state, created, ...(scheduledAt !== undefined && { scheduledAt }), ...(ended !== undefined && { ended }),
    ...(cause !== undefined && { cause }),
  };
}

function runOfApplication(application: ApplicationRow): Run {
  const { name, state, created, scheduledAt, begun, ended, reason } = application;
  return {
    name, state, created, application, ...(scheduledAt !== undefined && { scheduledAt }), ...(begun !== undefined && { begun }),
    ...(ended !== undefined && { ended }), ...(reason !== undefined && { cause: reason }),
  };
}
