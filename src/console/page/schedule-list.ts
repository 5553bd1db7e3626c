import { scheduleStateOf, type Circumstances } from './attention';
import { toneOf } from './format';
import { keyOf } from './rows';
import type { Run } from './runs';
import { zoneOf } from './zone';
import type { ScheduleRow } from '../wire';

/** Filter of the list of schedules. */
export interface ScheduleFilter {
  /** Empty for all. */
  readonly namespace: string;
  /** Words that must all match. */
  readonly text: string;
  /** Whether only schedules that need attention match. */
  readonly attention: boolean;
}

/** Matching schedules in their order. */
export interface ScheduleList {
  readonly list: readonly ScheduleRow[];
  /** Number of schedules that need attention, with the other filters. */
  readonly urgent: number;
}

/** Returns the matching schedules: first those that need attention, then the next to run. */
export function scheduleList(
  rows: Iterable<ScheduleRow>, filter: ScheduleFilter, runsOf: (row: ScheduleRow) => readonly Run[],
  circumstances: Pick<Circumstances, 'hasOperator'>,
): ScheduleList {
  const words = filter.text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const found = [...rows].filter((row) => filter.namespace === '' || row.namespace === filter.namespace).map((row) => {
    const runs = runsOf(row);
    return { row, isUrgent: scheduleNeedsAttention(row, runs, circumstances), texts: textsOf(row, runs, circumstances) };
  }).filter(({ texts }) => words.every((word) => texts.some((text) => text?.toLowerCase().includes(word))));
  const shownRows = filter.attention ? found.filter(({ isUrgent }) => isUrgent) : found;
  shownRows.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent) || (a.row.nextRun ?? Infinity) - (b.row.nextRun ?? Infinity)
    || (keyOf(a.row) < keyOf(b.row) ? -1 : 1));
  return { list: shownRows.map(({ row }) => row), urgent: found.filter(({ isUrgent }) => isUrgent).length };
}

/** Returns whether an active schedule starts no runs, or its latest ended run failed. */
export function scheduleNeedsAttention(
  row: ScheduleRow, runs: readonly Run[], circumstances: Pick<Circumstances, 'hasOperator'>,
): boolean {
  return !row.suspended && (scheduleStateOf(row, circumstances).reason !== undefined || latestFailure(runs) !== undefined);
}

/** Returns the latest ended run if it failed. @param runs the newest first */
function latestFailure(runs: readonly Run[]): Run | undefined {
  const last = runs.find(({ state }) => ['COMPLETED', 'FAILED'].includes(state));
  return last && toneOf(last.state) === 'bad' ? last : undefined;
}

/** Returns the texts of a schedule that the filter searches. */
function textsOf(
  row: ScheduleRow, runs: readonly Run[], circumstances: Pick<Circumstances, 'hasOperator'>,
): readonly (string | undefined)[] {
  const { state, reason } = scheduleStateOf(row, circumstances);
  return [keyOf(row), row.schedule, zoneOf(row), state, reason, row.suspended ? undefined : row.reason, latestFailure(runs)?.cause];
}
