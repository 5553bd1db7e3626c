import { ApplicationState, ExecutorState } from '../../api/states';
import type { ObservedApplication } from '../../explain/explain';
import { shortReason, type ShortReason } from '../../explain/short-reason';
import type { OperatorPresence } from '../../model/operator-presence';
import { shortDuration } from '../../text/duration';
import { QUEUE_NAME } from '../../model/kueue';
import { requestedExecutors } from '../../model/requested-executors';
import { stateOf, type WholeApplication } from '../../model/spark-application';
import { widthOf, type Paint } from '../../text/colours';
import { inMiddle } from '../../text/fitted-table';
import { printable } from '../../text/printable';
import { attemptDuration, reasonedState, stateText } from '../view/rows';

/** Application that a command waits for, with its last known state. */
export interface Followed {
  readonly namespace: string;
  readonly name: string;
  /** Last known version; undefined before the first read. */
  readonly application?: WholeApplication;
  /** Reason why it cannot be read at the moment. @default - none */
  readonly trouble?: string;
  /** Whether an operator handles it. @default - unknown */
  readonly operator?: OperatorPresence;
  /** Whether it is in a wanted state. @default - the wait for it has not ended */
  readonly isReached?: boolean;
}

/** Options of progress lines. */
export interface ProgressOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly paint: Paint;
  /** Columns of the terminal. @default - unlimited */
  readonly columns?: number;
}

/** How long an application waits that a user has suspended. */
const UNTIL_RESUMED = 'until `sparkctl resume`';

/** Frames of the spinner, which shows that the program is alive. */
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;

/** Milliseconds of each frame. */
export const FRAME = 100;

/** Width of a bar, in columns. */
const BAR = 12;

/** Fewest columns of a name, in however narrow a terminal. */
const LEAST_TITLE = 16;

/** Number of executors by state. */
export interface ExecutorCounts {
  readonly running: number;
  readonly pending: number;
  readonly completed: number;
  readonly failed: number;
  readonly unknown: number;
}

/**
 * Counts executors by state. Executors that end with their driver are FAILED in the status, but
 * only those that failed before are in the record of the attempt.
 */
export function executorCounts({ status }: WholeApplication): ExecutorCounts {
  const last = status?.attemptHistory?.at(-1);
  const ended = last?.result !== undefined && last.submissionID === status?.submissionID ? last : undefined;
  const states = Object.values(status?.executorState ?? {});
  const count = (wanted: ExecutorState) => states.filter((state) => state === wanted).length;
  return {
    running: count(ExecutorState.RUNNING), pending: count(ExecutorState.PENDING), completed: count(ExecutorState.COMPLETED),
    failed: ended ? ended.executors?.failed ?? 0 : count(ExecutorState.FAILED), unknown: count(ExecutorState.UNKNOWN),
  };
}

/** Returns the duration of the last attempt so far; before the first one, since the creation. */
function elapsedParts(application: WholeApplication, now: number): string[] {
  const { metadata, status } = application;
  const isFirst = status?.lastSubmissionAttemptTime === undefined;
  const elapsed = isFirst ? now - Date.parse(metadata.creationTimestamp ?? '') : attemptDuration(application, now);
  return elapsed === undefined || Number.isNaN(elapsed) ? [] : [shortDuration(elapsed)];
}

/** Parts that a line can omit, the least important first. */
const OMITTED: readonly (readonly Omittable[])[] = [[], ['bar'], ['bar', 'elapsed'], ['bar', 'elapsed', 'reason']];

type Omittable = 'bar' | 'elapsed' | 'reason';

/**
 * Returns the live line of an application: spinner, name, state, time and executors. It is no wider
 * than the terminal: a wrapped line could not be redrawn. A narrow terminal shows fewer parts, but
 * no part of a count.
 */
export function progressLine(followed: Followed, options: ProgressOptions): string {
  const { columns = Infinity, paint } = options;
  const { trouble } = followed;
  const end = trouble === undefined ? [] : [paint(`no connection: ${oneLine(trouble)}; retrying`, 'yellow')];
  for (const omitted of OMITTED) {
    const line = lineOf(followed, options, omitted);
    if (widthOf(line) < columns) return fitted([line, ...end], columns);
  }
  const mark = markOf(followed, options.now, paint);
  const state = stateParts(followed, options, []);
  return fitted([mark, titleBeside([mark, ...state], followed, options, LEAST_TITLE), ...state], columns);
}

/** Returns a line with all counts. */
function lineOf(followed: Followed, options: ProgressOptions, omitted: readonly Omittable[]): string {
  const { application } = followed;
  const mark = markOf(followed, options.now, options.paint);
  const others = [
    ...stateParts(followed, options, omitted),
    ...(application ? [...executorParts(application, options.paint, !omitted.includes('bar')), ...attemptParts(application)] : []),
  ];
  // The name matters more than the bar.
  const least = omitted.includes('bar') ? LEAST_TITLE : Infinity;
  return [mark, titleBeside([mark, ...others], followed, options, least), ...others].join(' ');
}

function stateParts({ application, ...others }: Followed, { now, paint }: ProgressOptions, omitted: readonly Omittable[]): string[] {
  if (!application) return [];
  const state = stateWithReason({ ...others, application, now }, paint, !omitted.includes('reason'));
  return [state, ...(omitted.includes('elapsed') ? [] : elapsedParts(application, now))];
}

/** Returns the name, shortened so that the other parts have room. */
function titleBeside(
  others: readonly string[], { namespace, name }: Followed, { columns = Infinity, paint }: ProgressOptions, least: number,
): string {
  // The last column is that of the cursor.
  const width = others.reduce((sum, part) => sum + widthOf(part) + 1, 1);
  return paint(inMiddle(printable(`${namespace}/${name}`), Math.max(least, columns - width)), 'bold');
}

/** Returns the line that is printed for a change if the output is not a terminal. */
export function progressText(followed: Followed, now: number): string {
  const { namespace, name, application, trouble } = followed;
  const time = new Date(now).toISOString().slice(11, 19);
  const counts = application === undefined ? '' : countsText(executorCounts(application));
  const reason = application && (isSuspendedByUser(application) ? UNTIL_RESUMED : urgentReason({ ...followed, application, now })?.text);
  const state = application && `${printable(stateOf(application) || 'NEW')}${reason === undefined ? '' : ` (${oneLine(reason)})`}`;
  const details = [
    state, counts && `executors: ${counts}`, trouble === undefined ? '' : `no connection: ${oneLine(trouble)}; retrying`,
  ].filter(Boolean);
  return `${time} ${printable(`${namespace}/${name}`)} ${details.join(', ')}`.trimEnd();
}

/** Returns the mark of an outcome. */
export function outcomeMark(isReached: boolean, paint: Paint): string {
  return isReached ? paint('✓', 'green') : paint('✗', 'red');
}

/** Returns the spinner, or a mark once the wait has ended. */
function markOf({ isReached }: Followed, now: number, paint: Paint): string {
  if (isReached === undefined) return paint(SPINNER[Math.floor(now / FRAME) % SPINNER.length]!, 'cyan');
  return outcomeMark(isReached, paint);
}

function stateWithReason(observed: ObservedApplication, paint: Paint, hasReason: boolean): string {
  if (isSuspendedByUser(observed.application) && hasReason) {
    return `${stateText(ApplicationState.SUSPENDED, paint)} (${UNTIL_RESUMED})`;
  }
  return urgentReason(observed) ? reasonedState(observed, paint, hasReason) : stateText(stateOf(observed.application), paint);
}

/** Whether the application waits for a user, and nothing else resumes it, such as Kueue. */
function isSuspendedByUser(application: WholeApplication): boolean {
  const { metadata, spec } = application;
  return stateOf(application) === ApplicationState.SUSPENDED && Boolean(spec.suspend) && metadata.labels?.[QUEUE_NAME] === undefined;
}

/** Returns the reason of a state that needs attention; executors that start are counted anyway. */
function urgentReason({ application, operator, now }: ObservedApplication): ShortReason | undefined {
  const reason = shortReason({ application, now, ...(operator && { operator }) });
  return reason.needsAttention ? reason : undefined;
}

function executorParts(application: WholeApplication, paint: Paint, hasBar: boolean): string[] {
  const counts = executorCounts(application);
  const wanted = requestedExecutors(application.spec);
  const isBegun = counts.running + counts.pending + counts.completed + counts.failed + counts.unknown > 0;
  if (!isBegun && stateOf(application) !== ApplicationState.RUNNING) return [];
  // The bar of a single executor, or of none that runs or starts, shows no more than the numbers.
  const isInformative = wanted !== undefined && wanted > 1 && counts.running + counts.pending > 0;
  const bar = hasBar && isInformative ? [barOf(counts, wanted, paint)] : [];
  const { running: _, ...others } = counts;
  const rest = countsText({ ...others, running: 0 });
  const noun = counts.running === 1 && (wanted ?? 1) === 1 ? 'executor' : 'executors';
  return [...bar, `${counts.running}${wanted === undefined ? '' : `/${wanted}`} ${noun}`, ...(rest ? [rest] : [])];
}

/** Returns a bar: full for running executors, half for pending ones. */
function barOf({ running, pending }: ExecutorCounts, wanted: number, paint: Paint): string {
  const part = (count: number) => Math.min(BAR, Math.round(BAR * count / Math.max(1, wanted)));
  const full = part(running);
  const half = Math.min(BAR - full, part(pending));
  return paint('█'.repeat(full), 'green') + paint('▒'.repeat(half), 'yellow') + paint('░'.repeat(BAR - full - half), 'dim');
}

function countsText(counts: ExecutorCounts): string {
  return Object.entries(counts).filter(([, count]) => count > 0).map(([state, count]) => `${count} ${state}`).join(', ');
}

function attemptParts({ status }: WholeApplication): string[] {
  const attempt = status?.submissionAttempts ?? 0;
  return attempt > 1 ? [`attempt ${attempt}`] : [];
}

/** Joins as many parts as fit, from the front. The last one is cut, without its colours. */
function fitted(parts: readonly string[], columns = Infinity): string {
  let line = '';
  for (const part of parts) {
    const longer = line === '' ? part : `${line} ${part}`;
    if (widthOf(longer) < columns) {
      line = longer;
      continue;
    }
    // eslint-disable-next-line no-control-regex
    return widthOf(line) < columns - 2
      ? `${line}${`${line === '' ? '' : ' '}${part.replace(/\x1b\[\d+m/g, '')}`.slice(0, columns - 2 - widthOf(line))}…`
      : line;
  }
  return line;
}

function oneLine(text: string): string {
  return printable(text.split('\n', 1)[0]!);
}
