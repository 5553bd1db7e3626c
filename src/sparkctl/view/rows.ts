import { shortDuration, timeUntil } from '../../text/duration';
import { explainConnect } from '../../explain/connect/explain';
import { isConnectAtRest, serverCondition, type ObservedConnect } from '../../explain/connect/observed';
import { shortConnectReason } from '../../explain/connect/short-reason';
import { explain, type ObservedApplication } from '../../explain/explain';
import { isNotCreated } from '../../explain/give-up';
import { idleSchedule } from '../../explain/idle-schedule';
import { invalidSchedule } from '../../explain/invalid-schedule';
import { reasonText, shortReason, type ShortReason } from '../../explain/short-reason';
import { isCurrent } from '../../model/actions/current';
import { attemptsOfRun } from '../../model/attempts';
import { ApplicationState, isBetweenAttempts, isTerminal } from '../../api/states';
import type { KubeObject } from '../../kube/objects';
import { hasLostDriver } from '../../model/last-driver';
import type { OperatorPresence } from '../../model/operator-presence';
import { podState, type PodView } from '../../model/pod-view';
import { requestedExecutors } from '../../model/requested-executors';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { runsOf as recordedRuns, type ScheduleRun } from '../../model/schedule-runs';
import { stateOf, type WholeApplication } from '../../model/spark-application';
import { stateOf as connectStateOf, type WholeConnect } from '../../model/spark-connect';
import { asApplication } from '../../plan/connect/as-application';
import type { Colour, Paint } from '../../text/colours';
import type { TableRules } from '../../text/fitted-table';
import { printable } from '../../text/printable';
import type { KindName } from '../target';
import { oneLine } from './one-line';
import { lastFailure, resultMarks } from './results';

export { oneLine };

/** Options of table rows. */
export interface RowOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly paint: Paint;
  /** Whether there is a column with the reason. */
  readonly wide: boolean;
  /** Whether states lack their reasons in a few words. @default false */
  readonly hidesReasons?: boolean;
  /** Returns an application with facts about it. @default - only its status is known */
  readonly observe?: (application: WholeApplication) => ObservedApplication;
  /** Returns a Spark Connect server with facts about it. @default - only its status is known */
  readonly observeConnect?: (connect: WholeConnect) => ObservedConnect;
  /** Whether the terminal shows characters outside ASCII. @default false */
  readonly isUnicode?: boolean;
  /** Returns whether the operator of a schedule runs. @default - unknown */
  readonly operatorOf?: (schedule: ScheduledSparkApplication) => OperatorPresence | undefined;
  /** Returns the runs of a schedule. @default - those in its status */
  readonly runsOf?: (schedule: ScheduledSparkApplication) => readonly ScheduleRun[];
}

/** Table of the objects of a kind. */
export interface Listing {
  readonly header: readonly string[];
  readonly row: (object: any, options: RowOptions) => string[];
  /** Columns that give way in a narrow terminal. */
  readonly rules: TableRules;
}

const COLOURS: Readonly<Record<string, Colour>> = {
  [ApplicationState.RUNNING]: 'green', [ApplicationState.COMPLETED]: 'dim', [ApplicationState.SUCCEEDING]: 'green',
  [ApplicationState.FAILED]: 'red', [ApplicationState.FAILING]: 'red', [ApplicationState.SUBMISSION_FAILED]: 'red',
  [ApplicationState.UNKNOWN]: 'yellow',
  Ready: 'green', Failed: 'red', NotReady: 'yellow', FailedValidation: 'red',
};

/**
 * Returns a state in its colour. The state of a new application is empty in the API, and `NEW`
 * here.
 */
export function stateText(state: string, paint: Paint): string {
  const colour = COLOURS[state];
  const text = printable(state === '' ? 'NEW' : state);
  return colour ? paint(text, colour) : text;
}

/** Names are shortened before reasons. */
const SHORTENED: TableRules['shorten'] = [
  { title: 'NAMESPACE', least: 12, at: 'middle' }, { title: 'NAME', least: 24, at: 'middle' }, { title: 'STATE', least: 24, at: 'end' },
];

/** Tables by kind. */
export const LISTINGS: Readonly<Record<KindName, Listing>> = {
  application: {
    header: ['NAME', 'STATE', 'EXECUTORS', 'ATTEMPTS', 'DURATION', 'AGE'], row: applicationRow,
    rules: { omit: ['ATTEMPTS', 'DURATION', 'EXECUTORS'], shorten: SHORTENED },
  },
  schedule: {
    header: ['NAME', 'SCHEDULE', 'TIME ZONE', 'SUSPENDED', 'NEXT RUN', 'LAST RUN', 'RESULTS', 'AGE', 'LAST FAILURE'], row: scheduleRow,
    rules: { omit: ['AGE', 'TIME ZONE', 'SUSPENDED', 'LAST RUN'], shorten: [{ title: 'LAST FAILURE', least: 20, at: 'end', isFirst: true }, ...SHORTENED] },
  },
  connect: {
    header: ['NAME', 'STATE', 'EXECUTORS', 'RESTARTS', 'SERVICE', 'AGE'], row: connectRow,
    rules: { omit: ['RESTARTS', 'SERVICE'], shorten: SHORTENED },
  },
};

function applicationRow(application: WholeApplication, { now, paint, wide, hidesReasons, observe }: RowOptions): string[] {
  const { metadata } = application;
  const observed = observe?.(application) ?? { application, now };
  return [
    printable(metadata.name),
    reasonedState(observed, paint, !hidesReasons),
    executorsCell(observed),
    String(attemptsOfRun(application)),
    durationText(application, now),
    ageOf(application, now),
    ...(wide ? [oneLine(explain(observed).sentence)] : []),
  ];
}

/**
 * Returns a state with its reason in a few words, such as `RUNNING (1 executor unschedulable)`: in
 * yellow if the application needs attention and has not failed.
 */
export function reasonedState(observed: ObservedApplication, paint: Paint, hasReason = true): string {
  return withReason(stateOf(observed.application), shortReason(observed), observed.now, paint, hasReason);
}

/** Returns the state of a Spark Connect server with its reason, such as `NotReady (OOMKilled)`. */
export function reasonedConnectState(observed: ObservedConnect, paint: Paint, hasReason = true): string {
  return withReason(connectStateOf(observed.connect), shortConnectReason(observed), observed.now, paint, hasReason);
}

function withReason(state: string, reason: ShortReason, now: number, paint: Paint, hasReason: boolean): string {
  const words = hasReason ? reasonText(reason, now) : undefined;
  const text = `${printable(state === '' ? 'NEW' : state)}${words === undefined ? '' : ` (${oneLine(words)})`}`;
  const own = COLOURS[state];
  const colour = reason.needsAttention && own !== 'red' ? 'yellow' : own;
  return colour ? paint(text, colour) : text;
}

/** States in which pods are removed; the status then has none of their executors. */
const REMOVING: readonly string[] = [ApplicationState.SUSPENDING, ApplicationState.INVALIDATING, ApplicationState.PENDING_RERUN];

/**
 * Returns the executors for a list: none of an application that has ended, ends or lost its driver.
 */
function executorsCell({ application, isDriverGone }: ObservedApplication): string {
  return isDriverGone || isTerminal(stateOf(application)) || isRemoving(application) ? '-' : executorsText(application);
}

/** Whether pods of the last attempt might still be removed. */
export function isRemoving(application: WholeApplication): boolean {
  return REMOVING.includes(stateOf(application)) && !isNotCreated(application);
}

/**
 * Returns the number of running executors and the desired one, such as `3/4` or `3/0..10`.
 *
 * @param executors their pods @default - the states in the status, which can be seconds old
 */
export function executorsText({ spec, status }: WholeApplication, executors?: readonly PodView[]): string {
  const states = executors?.map(podState) ?? Object.values(status?.executorState ?? {});
  return countText(states.filter((state) => state === 'RUNNING').length, spec);
}

function countText(running: number, spec: Parameters<typeof requestedExecutors>[0]): string {
  const { dynamicAllocation: { minExecutors, maxExecutors } = {}, sparkConf = {} } = spec;
  const property = (name: string) => sparkConf[`spark.dynamicAllocation.${name}`];
  const wanted = requestedExecutors(spec)
    ?? `${minExecutors ?? property('minExecutors') ?? 0}..${maxExecutors ?? property('maxExecutors') ?? ''}`;
  return `${running}/${printable(String(wanted))}`;
}

/**
 * Returns the duration of the current or last attempt, in milliseconds; undefined before the first
 * one, between two attempts, and for a requested run that no operator has reconciled yet.
 */
export function attemptDuration(application: WholeApplication, now: number): number | undefined {
  const { status } = application;
  if (isTerminal(stateOf(application)) && !isCurrent(application)) return undefined;
  const begin = Date.parse(status?.lastSubmissionAttemptTime ?? '');
  if (!Number.isFinite(begin) || isBetweenAttempts(stateOf(application))) return undefined;
  const end = Date.parse(status?.terminationTime ?? '');
  return Math.max(0, (end >= begin ? end : now) - begin);
}

/**
 * Returns the duration of the current or last attempt as text. The end of a lost driver is the time
 * at which an operator noticed it.
 */
export function durationText(application: WholeApplication, now: number): string {
  const duration = attemptDuration(application, now);
  return duration === undefined ? '-' : `${hasLostDriver(application) ? '<' : ''}${shortDuration(duration)}`;
}

/** Returns when the next run of a schedule is due, in words. */
export function nextRunText(next: number, now: number): string {
  if (!Number.isFinite(next)) return '-';
  return next > now ? `in ${timeUntil(next - now)}` : 'due';
}

function scheduleRow(
  schedule: ScheduledSparkApplication, { now, paint, wide, isUnicode, runsOf = recordedRuns, operatorOf }: RowOptions,
): string[] {
  const { metadata, spec, status } = schedule;
  const runs = runsOf(schedule);
  const next = Date.parse(status?.nextRun ?? '');
  const idle = idleSchedule(schedule, operatorOf?.(schedule));
  const withoutRun = spec.suspend ? 'suspended' : idle?.words;
  return [
    printable(metadata.name),
    printable(spec.schedule),
    printable(spec.timeZone ?? '-'),
    spec.suspend ? paint('yes', 'yellow') : 'no',
    withoutRun === undefined ? nextRunText(next, now) : paint(withoutRun, withoutRun === 'invalid' ? 'red' : 'yellow'),
    agoText(status?.lastRun, now),
    resultMarks(runs, paint, isUnicode),
    ageOf({ metadata }, now),
    lastFailure(runs, now) ?? '-',
    ...(wide ? [oneLine(idle?.sentence ?? invalidSchedule(schedule) ?? status?.reason ?? '')] : []),
  ];
}

function connectRow(connect: WholeConnect, { now, paint, wide, hidesReasons, observeConnect }: RowOptions): string[] {
  const { metadata, status } = connect;
  const observed = observeConnect?.(connect) ?? { connect, now };
  const hasExecutors = !isConnectAtRest(connect) && !observed.isServerGone;
  return [
    printable(metadata.name),
    reasonedConnectState(observed, paint, !hidesReasons),
    hasExecutors ? connectExecutorsText(connect) : '-',
    String(restartsOf(connect)),
    printable(status?.server?.serviceName ?? '-'),
    ageOf({ metadata }, now),
    ...(wide ? [oneLine(explainConnect(observed).sentence)] : []),
  ];
}

/** Reasons of a server whose restart has not begun. */
const WAITING: readonly unknown[] = ['ServerEnded', 'ServerNotCreated'];

/** Returns the number of restarts so far; the status also counts one that is due. */
export function restartsOf(connect: WholeConnect): number {
  const { restarts = 0 } = connect.status ?? {};
  return WAITING.includes(serverCondition(connect).reason) ? Math.max(restarts - 1, 0) : restarts;
}

/**
 * Returns the number of running executors of a server and the desired one.
 *
 * @param executors their pods @default - the numbers in the status
 */
export function connectExecutorsText(connect: WholeConnect, executors?: readonly PodView[]): string {
  const running = executors?.filter((pod) => podState(pod) === 'RUNNING').length ?? connect.status?.executors?.running ?? 0;
  return countText(running, asApplication(connect).spec);
}

/** Returns the age of an object. */
export function ageOf({ metadata }: KubeObject, now: number): string {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  return Number.isFinite(created) ? shortDuration(now - created) : '-';
}

/** Returns the time that has passed, such as `3m12s ago`. @param time RFC 3339 */
export function agoText(time: string | undefined, now: number): string {
  const at = Date.parse(time ?? '');
  return Number.isFinite(at) ? `${shortDuration(now - at)} ago` : '-';
}
