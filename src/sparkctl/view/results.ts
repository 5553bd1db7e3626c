import type { ScheduleRun } from '../../model/schedule-runs';
import type { Colour, Paint } from '../../text/colours';
import { shortDuration } from '../../text/duration';
import { oneLine } from './one-line';

/** Maximum number of runs in a row of results. */
const MAX_MARKS = 10;

/** Colours of results. */
export const RESULT_COLOURS: Readonly<Record<ScheduleRun['result'], Colour>> = { succeeded: 'green', failed: 'red', active: 'blue' };

/** Marks of results, and letters for terminals without Unicode. */
const MARKS: Readonly<Record<ScheduleRun['result'], readonly [mark: string, letter: string]>> = {
  succeeded: ['✓', 'S'], failed: ['✗', 'F'], active: ['►', 'R'],
};

/** Meaning of the marks and letters, such as `✓ or S succeeded`. */
export const RESULT_LEGEND = Object.entries(MARKS).map(([result, [mark, letter]]) => `${mark} or ${letter} ${result}`).join(', ');

/** Returns the results of the latest runs, oldest first, such as `✓✓✗✓` or `SSFS`. */
export function resultMarks(runs: readonly ScheduleRun[], paint: Paint, isUnicode = false): string {
  return runs.slice(-MAX_MARKS).map(({ result }) => {
    const [mark, letter] = MARKS[result];
    return paint(isUnicode ? mark : letter, RESULT_COLOURS[result]);
  }).join('') || '-';
}

/** Returns the latest failure among the runs that `resultMarks` shows, such as `2h ago: boom`. */
export function lastFailure(runs: readonly ScheduleRun[], now: number): string | undefined {
  const failed = runs.slice(-MAX_MARKS).findLast(({ result }) => result === 'failed');
  if (!failed) return undefined;
  return oneLine(`${shortDuration(now - (failed.endedAt ?? failed.startedAt))} ago${failed.cause ? `: ${failed.cause}` : ''}`);
}
