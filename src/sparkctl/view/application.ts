import { explain, type ObservedApplication } from '../../explain/explain';
import { isNotCreated } from '../../explain/give-up';
import { podReason } from '../../explain/pod-reason';
import { isAtRest } from '../../explain/unattended';
import { shortDuration } from '../../text/duration';
import { attemptsOfRun } from '../../model/attempts';
import { lastDriver, progressIn } from '../../model/last-driver';
import { isBeginning, stateOf, submissionTime, type WholeApplication } from '../../model/spark-application';
import { ApplicationState, isTerminal } from '../../api/states';
import { driverState, type PodView } from '../../model/pod-view';
import type { Paint } from '../../text/colours';
import { rfc3339 } from '../../text/times';
import { wrappedTableLines } from '../../text/wrapped-table';
import { printable } from '../../text/printable';
import { fieldLines } from './fields';
import { oneLine } from './one-line';
import { ageOf, agoText, durationText, executorsText, isRemoving, reasonedState, stateText } from './rows';

/**
 * Returns the lines of `sparkctl status` for an application: its state, the reason, and the remedy.
 */
export function statusLines(known: ObservedApplication, paint: Paint, columns?: number): string[] {
  const { application, now } = known;
  const { metadata, status } = application;
  const { sentence, remedy } = explain(known);
  return fieldLines([
    ['Name', printable(metadata.name)],
    ['Namespace', printable(metadata.namespace)],
    ['State', reasonedState(known, paint)],
    ['Why', `${printable(sentence)}.`],
    ['To do', remedy === undefined ? undefined : paint(printable(remedy), 'yellow')],
    ['Driver', driverText(known)],
    ['Executors', executorsLine(known)],
    ['Pods', known.executors || isAtRest(application) ? undefined
      : `you cannot read them: \`kubectl auth can-i list pods -n ${printable(metadata.namespace)}\``],
    ['Attempts', attemptsLine(application)],
    ['Submitted', submittedText(application, now)],
    ['Ended', status?.terminationTime && `${agoText(status.terminationTime, now)} (${status.terminationTime})`],
    ['Duration', isSubmitted(application) ? durationText(application, now) : undefined],
    ['Spark id', status?.sparkApplicationId && printable(status.sparkApplicationId)],
    ['Web UI', printable(webUiText(known))],
    ['Age', ageOf(application, now)],
  ], '', columns);
}

/** Returns the driver's pod; undefined if the attempt never had one. */
function driverText({ application, driver, executors }: ObservedApplication): string | undefined {
  const { podName } = application.status?.driverInfo ?? {};
  if (podName === undefined || lastDriver(application) === 'absent') return undefined;
  const isMissing = executors !== undefined && driver === undefined;
  return printable(`${podName}${isMissing ? ' (does not exist)' : driver?.nodeName ? ` on ${driver.nodeName}` : ''}`);
}

/** A driver that the operator creates within this time, in milliseconds, is not delayed. */
const AT_ONCE = 5_000;

/**
 * Returns when an application was submitted, and when its attempt began if the driver could not be
 * created at once.
 */
function submittedText(application: WholeApplication, now: number): string | undefined {
  const { lastSubmissionAttemptTime: begin } = application.status ?? {};
  if (!begin) return undefined;
  const text = (time: string) => `${agoText(time, now)} (${time})`;
  if (!isSubmitted(application)) {
    return `${isBeginning(application) ? 'not yet' : 'no'}; the attempt began ${text(begin)}`;
  }
  const submitted = submissionTime(application);
  return submitted - Date.parse(begin) > AT_ONCE ? `${text(rfc3339(submitted))}; the attempt began ${text(begin)}` : text(begin);
}

/** Whether the attempt of an application has or had a driver. */
function isSubmitted(application: WholeApplication): boolean {
  return stateOf(application) !== ApplicationState.NEW && !isNotCreated(application) && lastDriver(application) !== 'absent';
}

/** Returns the number of executors; those of an application that has ended are no news. */
function executorsLine({ application, isDriverGone, executors }: ObservedApplication): string | undefined {
  if (!application.status || isTerminal(stateOf(application)) || (!executors && isRemoving(application))) return undefined;
  return isDriverGone ? 'unknown, as its driver is gone' : `${executorsText(application, executors)} run`;
}

/** Returns how to reach the web UI; empty while no driver serves it. */
function webUiText({ application, driver, isDriverGone }: ObservedApplication): string {
  const { webUIServiceName, webUIPort, webUIIngressAddress } = application.status?.driverInfo ?? {};
  if (isDriverGone || (driver ? driverState(driver) : stateOf(application)) !== 'RUNNING') return '';
  if (webUIIngressAddress !== undefined) return webUIIngressAddress;
  const { name, namespace } = application.metadata;
  return webUIServiceName ? `service ${webUIServiceName}:${webUIPort}; \`sparkctl forward ${name} -n ${namespace}\` opens it here` : '';
}

/** Returns the number of attempts of the current or last run, and that of all runs together. */
function attemptsLine(application: WholeApplication): string | undefined {
  const { submissionAttempts, executionAttempts, attemptHistory = [] } = application.status ?? {};
  const attempts = attemptsOfRun(application);
  if (attempts === 0) return undefined;
  const all = attemptHistory.at(-1)?.number ?? 0;
  // A suspension removes the number of drivers from the status, too.
  const isStopped = submissionAttempts === undefined;
  const driverless = attemptHistory.filter((record) => record.number > all - attempts && progressIn(record) === 'absent').length;
  const drivers = isStopped ? attempts - driverless : executionAttempts;
  const text = attemptsText(attempts, drivers, isStopped || isTerminal(stateOf(application)));
  return all > attempts ? `${text}; with earlier runs ${all}` : text;
}

/** Returns the number of attempts, and how many of them have no driver, if not all have one. */
export function attemptsText(attempts: number, drivers = 0, hasEnded = false): string {
  const without = attempts - drivers;
  if (without <= 0) return String(attempts);
  if (attempts === 1) return `1, without a driver${hasEnded ? '' : ' so far'}`;
  return `${attempts}, ${without === attempts ? 'none of them with' : `${without} of them without`} a driver`;
}

/** Columns that are shortened in a narrow terminal. */
const SHORTENED = [{ title: 'NODE', least: 16, at: 'middle' }, { title: 'POD', least: 24, at: 'middle' }] as const;

/** Returns a table of Pods. */
export function podLines(pods: readonly PodView[], now: number, paint: Paint, columns?: number): string[] {
  const rows = pods.map((pod) => [
    printable(pod.metadata.name),
    stateText(driverState(pod), paint),
    printable(pod.nodeName ?? '-'),
    pod.startTime ? shortDuration(now - Date.parse(pod.startTime)) : ageOf(pod, now),
    oneLine(podReason(pod)),
  ]);
  return wrappedTableLines(['POD', 'STATE', 'NODE', 'SINCE', 'WHY'], rows, columns, SHORTENED);
}
