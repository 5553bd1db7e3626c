import { blockedSchedule } from '../../explain/blocked-schedule';
import { explainUnattendedSchedule } from '../../explain/explain-unattended';
import { idleSchedule } from '../../explain/idle-schedule';
import { invalidSchedule } from '../../explain/invalid-schedule';
import { remedyFor } from '../../explain/remedy';
import { type OperatorPresence, readPresences } from '../../model/operator-presence';
import { timeIn, type ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import type { ScheduleRun } from '../../model/schedule-runs';
import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { SCHEDULED_SPARK_APPLICATIONS } from '../../model/resources';
import { parseSchedule, ScheduleError } from '../../schedule/expression';
import type { Paint } from '../../text/colours';
import { shortDuration } from '../../text/duration';
import { fitted } from '../../text/fitted-table';
import { printable } from '../../text/printable';
import { tableLines } from '../../text/table';
import { wrapped } from '../../text/wrapped';
import { localTimeZone, zonedTime } from '../../text/zoned-time';
import { readRuns } from '../list/runs';
import type { Terminal } from '../terminal';
import { eventsOf, timeOf } from './events';
import { fieldLines } from './fields';
import { oneLine } from './one-line';
import { lastFailure, resultMarks, RESULT_COLOURS } from './results';
import { ageOf, nextRunText, stateText } from './rows';

/** Reads the runs and the operator of a schedule, and returns its lines. */
export async function readScheduleLines(
  client: KubeClient, schedule: ScheduledSparkApplication, now: number, paint: Paint, terminal: Terminal, signal?: AbortSignal,
): Promise<string[]> {
  const { namespace, name } = schedule.metadata;
  const [runsOf, operators, skipped] = await Promise.all([
    readRuns(client, { namespace, schedule: name, signal }), readPresences(client, [schedule], now, signal),
    lastSkipped(client, schedule, now, signal),
  ]);
  return scheduleLines(schedule, runsOf(schedule), now, paint, terminal, operators.of(schedule), skipped);
}

/**
 * Returns the latest run that was skipped, and why: only events have it. Undefined without one, or
 * without the permission to read events.
 */
async function lastSkipped(
  client: KubeClient, { metadata: { namespace, name, creationTimestamp } }: ScheduledSparkApplication, now: number, signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    const events = await eventsOf(client, namespace, [{ kind: SCHEDULED_SPARK_APPLICATIONS.kind, name }], creationTimestamp, signal);
    const found = events.findLast(({ reason }) => reason === 'ScheduledRunSkipped');
    return found && `${shortDuration(now - timeOf(found))} ago: ${oneLine((found.message ?? '').replace(/^Skipped /, ''))}`;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return undefined;
  }
}

/** Returns the lines of `sparkctl status` for a schedule, with its latest runs. */
function scheduleLines(
  schedule: ScheduledSparkApplication, runs: readonly ScheduleRun[], now: number, paint: Paint, terminal: Terminal,
  operator?: OperatorPresence, skipped?: string,
): string[] {
  const { metadata, spec, status } = schedule;
  const invalid = invalidSchedule(schedule);
  // The time in the status is of an earlier schedule.
  const next = spec.suspend || invalid !== undefined ? undefined : timeIn(status?.nextRun);
  const times = [now, next, ...runs.map(({ scheduledAt }) => scheduledAt)].filter((time) => time !== undefined);
  const zones = zonesOf(schedule, times, terminal);
  const ended = runs.filter(({ result }) => result !== 'active');
  const failed = ended.filter(({ result }) => result === 'failed').length;
  const unattended = explainUnattendedSchedule(schedule, operator);
  const blocked = blockedSchedule(schedule);
  const idle = idleSchedule(schedule, operator)?.words;
  const object = `schedule/${metadata.name} -n ${metadata.namespace}`;
  const table = runLines(runs, now, zones, paint, terminal.columns);
  return [
    ...fieldLines([
      ['Name', printable(metadata.name)],
      ['Namespace', printable(metadata.namespace)],
      ['State', spec.suspend ? paint('Suspended', 'yellow')
        : idle === undefined || idle === 'invalid' ? stateText(status?.scheduleState ?? '', paint)
          : paint(`${printable(status?.scheduleState || 'NEW')} (${idle})`, 'yellow')],
      ['Why', whyOf(unattended ? [invalid, `${unattended.sentence}.`] : [invalid ?? blocked ?? status?.reason])],
      ['To do', spec.suspend ? paint(printable(`sparkctl resume ${object}`), 'yellow')
        : invalid !== undefined ? paint(printable(`correct it: \`sparkctl edit ${object}\``), 'yellow')
          : unattended ? paint(unattended.remedy, 'yellow') : remedyText(blocked, paint)],
      ['Schedule', printable(`${spec.schedule} (${invalid === undefined ? zones[0] : spec.timeZone ?? zones[0]})`)],
      ['Next run', next === undefined ? undefined
        : [nextRunText(next, now), ...zones.map((zone) => namedTime(next, zone))].join('\n')],
      ['Results', runs.length === 0 ? undefined
        : `${resultMarks(runs, paint, terminal.isUnicode)}${ended.length <= 1 ? '' : ` (${failed} of ${ended.length} ended runs failed)`}`],
      ['Last failure', lastFailure(runs, now)],
      ['Last skipped', skipped],
      ['Age', ageOf(schedule, now)],
    ], '', terminal.columns),
    ...(table.length > 0 ? ['', ...table] : []),
  ];
}

function remedyText(blocked: string | undefined, paint: Paint): string | undefined {
  const remedy = blocked === undefined ? undefined : remedyFor(blocked);
  return remedy && paint(printable(remedy), 'yellow');
}

/** Returns reasons, each in a line; undefined if there are none. */
function whyOf(reasons: readonly (string | undefined)[]): string | undefined {
  const known = reasons.filter((reason) => reason !== undefined && reason !== '') as string[];
  return known.length === 0 ? undefined : known.map(oneLine).join('\n');
}

/** Returns a time with the name of its time zone; the `Z` at its end names UTC. */
function namedTime(time: number, zone: string): string {
  return zone === 'UTC' ? zonedTime(time, zone) : `${zonedTime(time, zone)} ${zone}`;
}

/** Returns the time zone of a schedule, and that of the user if its clocks show other times. */
function zonesOf(
  { spec }: ScheduledSparkApplication, times: readonly number[], { timeZone: own = localTimeZone() }: Terminal,
): readonly string[] {
  const zone = zoneOf(spec.schedule, spec.timeZone);
  return times.every((time) => zonedTime(time, zone) === zonedTime(time, own)) ? [zone] : [zone, own];
}

function zoneOf(schedule: string, timeZone: string | undefined): string {
  try {
    return parseSchedule(schedule, timeZone).timeZone;
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return 'UTC';
  }
}

/** Columns of the second line of a run: the cause of its failure. */
const INDENT = 4;

function runLines(
  runs: readonly ScheduleRun[], now: number, zones: readonly string[], paint: Paint, columns?: number,
): string[] {
  if (runs.length === 0) return [];
  const table = fitted({
    header: ['RUN', ...zones, 'RESULT', 'TOOK'],
    rows: runs.map(({ name, scheduledAt, startedAt, endedAt, result }) => [
      printable(name),
      // A run that was requested has no scheduled time, and `now` in its name.
      ...zones.map((zone) => zonedTime(scheduledAt ?? startedAt, zone).slice(0, 'YYYY-MM-DDThh:mm'.length).replace('T', ' ')),
      paint(result, RESULT_COLOURS[result]),
      endedAt === undefined && result !== 'active' ? '-' : shortDuration((endedAt ?? now) - startedAt),
    ]),
  }, { omit: [], shorten: [{ title: 'RUN', least: 16, at: 'middle' }] }, columns);
  const [header, ...rows] = tableLines(table.header, table.rows, columns);
  return [header!, ...rows.flatMap((row, index) => {
    const { cause } = runs[index]!;
    return [row, ...(cause ? wrapped(oneLine(cause), (columns ?? Infinity) - INDENT).map((line) => ' '.repeat(INDENT) + paint(line, 'red')) : [])];
  })];
}
