import { shortDuration } from '../../text/duration';
import { shortTimeText, shown, stateText, toneOf } from './format';
import { routeHash } from './route';
import { runDuration, timeOf, type Run } from './runs';
import { zonedText } from './zone';

/** Maximum number of runs in the grid of one schedule, and of a row of the list. */
export const GRID_RUNS = 40;
export const LIST_RUNS = 14;

/** Minimum height of a bar, in percent. */
const LEAST = 12;

interface RunGridProps {
  /** The newest first. */
  readonly runs: readonly Run[];
  readonly namespace: string;
  readonly zone: string;
  readonly now: number;
}

/** Renders the latest runs of a schedule, the oldest first, as bars as high as they lasted. */
export function RunGrid({ runs, namespace, zone, now }: RunGridProps) {
  const shownRuns = runs.slice(0, GRID_RUNS).reverse();
  const longest = Math.max(1, ...shownRuns.map((run) => runDuration(run, now)));
  return <>
    <ul class="run-grid" aria-label="Latest runs">
      {shownRuns.map((run) => {
        const text = runText(run, zone, now);
        const height = `${Math.max(LEAST, (100 * runDuration(run, now)) / longest)}%`;
        const bar = <span class={`run-bar ${toneOf(run.state)}`} style={{ height }} />;
        return <li key={run.name}>
          {run.application
            ? <a href={routeHash({ path: ['applications', namespace, run.name], query: {} })} title={text} aria-label={text}>{bar}</a>
            : <span role="img" title={text} aria-label={`${text}; deleted`}>{bar}</span>}
        </li>;
      })}
    </ul>
    <p class="dim run-scale">
      The height of a bar is the duration of its run, at most {shortDuration(longest)}. An edge on top marks a failed run,{' '}
      an outline an active one.
    </p>
  </>;
}

/** Renders the results of the latest runs in a row of the list, the oldest first. */
export function RunSquares({ runs, zone, now }: Omit<RunGridProps, 'namespace'>) {
  const latest = runs.slice(0, LIST_RUNS).reverse();
  const count = (...tones: readonly string[]) => latest.filter(({ state }) => tones.includes(toneOf(state))).length;
  if (latest.length === 0) return null;
  return (
    <span class="run-squares" role="img" aria-label={`${latest.length} latest runs, ${count('bad')} failed, ${count('busy', 'waiting')} active`}>
      {latest.map((run) => <span key={run.name} class={`run-square ${toneOf(run.state)}`} title={runText(run, zone, now)} />)}
    </span>
  );
}

/** Returns a run in words, with its time in both zones. */
function runText(run: Run, zone: string, now: number): string {
  const at = timeOf(run);
  const when = run.scheduledAt === undefined ? `requested ${shortTimeText(at)}` : `${shortTimeText(at)}${zonedText(at, zone, ' = ')}`;
  const cause = run.cause === undefined || toneOf(run.state) !== 'bad' ? '' : `: ${shown(run.cause.split('\n', 1)[0]!)}`;
  return `${run.name}: ${stateText(run.state)}, ${when}, ${shortDuration(runDuration(run, now))}${cause}`;
}
