import type { AttemptExecutors, AttemptRecord } from '../../api/spark-application-status';
import { AttemptResult } from '../../api/states';
import { knownEnd, type ObservedApplication } from '../../explain/explain';
import { shortReason } from '../../explain/short-reason';
import { attemptRecords } from '../../model/attempts';
import { failedExecutorsText } from '../../model/cause/executor-failures';
import { isLoss } from '../../model/last-driver';
import { timeIn } from '../../model/scheduled-spark-application';
import { podState } from '../../model/pod-view';
import { stateOf } from '../../model/spark-application';
import type { Colour, Paint } from '../../text/colours';
import { shortDuration } from '../../text/duration';
import { fitted } from '../../text/fitted-table';
import { tableLines } from '../../text/table';
import { wrapped } from '../../text/wrapped';
import { oneLine } from './one-line';

const HEADER = ['#', 'STARTED (UTC)', 'TOOK', 'QUEUED', 'STARTING', 'RAN', 'EXECUTORS', 'BEGUN BY'];

/** Columns of the second line of an attempt: its result and cause. */
const INDENT = 4;

const COLOURS: Readonly<Record<string, Colour>> = {
  [AttemptResult.COMPLETED]: 'green', [AttemptResult.FAILED]: 'red', [AttemptResult.SUBMISSION_FAILED]: 'red',
  [AttemptResult.STOPPED]: 'yellow',
};

/** Words for results. */
const WORDS: Readonly<Record<string, string>> = { [AttemptResult.SUBMISSION_FAILED]: 'Submission failed' };

/** Words for what began an attempt. */
const TRIGGERS: Readonly<Record<string, string>> = {
  Creation: 'creation', RestartPolicy: 'restart policy', SpecChange: 'edit or rerun', Resume: 'resume',
};

/**
 * Returns a table of the attempts of an application, oldest first, with the times of their phases.
 * Below each are its result or state, node, exit code and cause, in lines that fit into the
 * terminal.
 *
 * @param columns width of the terminal @default - unlimited
 */
export function attemptLines(observed: ObservedApplication, paint: Paint, columns?: number): string[] {
  const { application, now } = observed;
  const records = attemptRecords(application, knownEnd(observed)).map((record) => withRunning(record, observed));
  if (records.length === 0) return [];
  const table = fitted({ header: HEADER, rows: records.map((record) => rowOf(record, now)) }, { omit: ['BEGUN BY'], shorten: [] }, columns);
  const [header, ...rows] = tableLines(table.header, table.rows, columns);
  const omitted = application.status?.omittedAttempts ?? 0;
  const current = activeText(observed);
  return [header!, ...rows.flatMap((row, index) => [
    ...(index === 1 && omitted > 0 ? [`…   ${omitted} attempts are not recorded`] : []), row, ...endLines(records[index]!, current, paint, columns),
  ])];
}

/** Adds the executors that run now to an active attempt: its record can be seconds old. */
function withRunning(record: AttemptRecord, { executors: pods = [] }: ObservedApplication): AttemptRecord {
  const running = pods.filter((pod) => podState(pod) === 'RUNNING').length;
  const { executors = {} } = record;
  if (record.result !== undefined || running <= (executors.peak ?? 0)) return record;
  return { ...record, executors: { ...executors, peak: running } };
}

/** State of an attempt that has not ended, and the reason of that state. */
interface ActiveText {
  readonly state: string;
  readonly reason?: string;
}

/** Returns the state of the application in the case of results, with its reason in a few words. */
function activeText(observed: ObservedApplication): ActiveText {
  if (observed.isDriverGone) return { state: 'Lost its driver' };
  const [state, { text }] = [stateOf(observed.application), shortReason(observed)];
  const word = state === '' ? 'new' : state.replaceAll('_', ' ').toLowerCase();
  return { state: word.charAt(0).toUpperCase() + word.slice(1), ...(text !== undefined && { reason: text }) };
}

function rowOf(record: AttemptRecord, now: number): string[] {
  const submitted = timeIn(record.submissionTime)!;
  const [scheduled, started, ended] = [record.driverScheduledTime, record.driverStartTime, record.endTime].map(timeIn);
  // A phase that has not begun has no duration, and the current one lasts until now.
  const end = ended ?? (record.result === undefined ? now : undefined);
  const lasted = (from: number | undefined, to: number | undefined) => (from === undefined || to === undefined ? '-' : shortDuration(to - from));
  // The end of a lost driver is the time at which an operator noticed it.
  const atMost = (duration: string) => (isLoss(record.cause) && duration !== '-' ? `<${duration}` : duration);
  return [
    String(record.number),
    new Date(submitted).toISOString().slice('YYYY-'.length, 'YYYY-MM-DDThh:mm:ss'.length).replace('T', ' '),
    atMost(lasted(submitted, end)),
    lasted(submitted, scheduled ?? started ?? end),
    lasted(scheduled, started ?? end),
    atMost(lasted(started, end)),
    executorsOf(record.executors),
    TRIGGERS[record.trigger ?? ''] ?? '-',
  ];
}

/** Returns the peak of running executors and the requested number, such as `3/4`. */
function executorsOf({ peak = 0, requested }: AttemptExecutors = {}): string {
  return requested === undefined ? String(peak) : `${peak}/${requested}`;
}

function endLines(record: AttemptRecord, active: ActiveText, paint: Paint, columns = Infinity): string[] {
  const { result, nodeName, exitCode, executors } = record;
  const [end, cause] = result === undefined ? [active.state, active.reason] : [WORDS[result] ?? result, record.cause];
  const facts = [
    `${end}${nodeName ? ` on ${nodeName}` : ''}`,
    ...(exitCode === undefined || exitCode === 0 ? [] : [`exit code ${exitCode}`]),
  ].join(', ');
  const text = oneLine([`${facts}${cause ? `: ${cause}` : ''}`, failedExecutorsText(executors)].filter(Boolean).join('; '));
  const colour = result && COLOURS[result];
  return wrapped(text, columns - INDENT).map((line) => ' '.repeat(INDENT) + (colour ? paint(line, colour) : line));
}

