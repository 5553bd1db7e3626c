import { explain, type ObservedApplication } from '../../explain/explain';
import { podReason } from '../../explain/pod-reason';
import { isAtRest } from '../../explain/unattended';
import { shortDuration } from '../../text/duration';
import { lastDriver } from '../../model/last-driver';
import { stateOf } from '../../model/spark-application';
import { isTerminal } from '../../api/states';
import { driverState, podState, type PodView } from '../../model/pod-view';
import type { Paint } from '../../text/colours';
import { wrappedTableLines } from '../../text/wrapped-table';
import { printable } from '../../text/printable';
import { fieldLines } from './fields';
import { oneLine } from './one-line';
import { ageOf, agoText, durationText, executorsText, reasonedState, stateText } from './rows';

/**
 * Returns the lines of `sparkctl status` for an application: its state, the reason, and the remedy.
 */
export function statusLines(known: ObservedApplication, paint: Paint, columns?: number): string[] {
  const { application, driver, now } = known;
  const { metadata, status } = application;
  const { sentence, remedy } = explain(known);
  const { podName } = status?.driverInfo ?? {};
  const hasEnded = isTerminal(stateOf(application));
  return fieldLines([
    ['Name', printable(metadata.name)],
    ['Namespace', printable(metadata.namespace)],
    ['State', reasonedState(known, paint)],
    ['Why', `${printable(sentence)}.`],
    ['To do', remedy === undefined ? undefined : paint(printable(remedy), 'yellow')],
    ['Driver', podName === undefined || lastDriver(application) === 'absent' ? undefined
      : printable(`${podName}${driver?.nodeName ? ` on ${driver.nodeName}` : ''}`)],
    ['Executors', executorsLine(known)],
    ['Pods', known.executors || isAtRest(application) ? undefined
      : `you cannot read them: \`kubectl auth can-i list pods -n ${printable(metadata.namespace)}\``],
    [
      'Attempts',
      status?.submissionAttempts === undefined ? undefined : attemptsText(status.submissionAttempts, status.executionAttempts, hasEnded),
    ],
    [
      'Submitted',
      status?.lastSubmissionAttemptTime && `${agoText(status.lastSubmissionAttemptTime, now)} (${status.lastSubmissionAttemptTime})`,
    ],
    ['Ended', status?.terminationTime && `${agoText(status.terminationTime, now)} (${status.terminationTime})`],
    ['Duration', durationText(application, now)],
    ['Spark id', status?.sparkApplicationId && printable(status.sparkApplicationId)],
    ['Web UI', printable(webUiText(known))],
    ['Age', ageOf(application, now)],
  ], '', columns);
}

/** Returns the number of executors; those of an application that has ended are no news. */
function executorsLine({ application, isDriverGone }: ObservedApplication): string | undefined {
  if (!application.status || isTerminal(stateOf(application))) return undefined;
  return isDriverGone ? 'unknown, as its driver is gone' : `${executorsText(application)} run`;
}

function webUiText({ application, driver, isDriverGone }: ObservedApplication): string {
  const { webUIServiceName, webUIPort, webUIIngressAddress } = application.status?.driverInfo ?? {};
  if (webUIIngressAddress !== undefined) return webUIIngressAddress;
  if (!webUIServiceName) return '';
  const { name, namespace } = application.metadata;
  const isOpen = !isDriverGone && (driver ? driverState(driver) : stateOf(application)) === 'RUNNING';
  return `service ${webUIServiceName}:${webUIPort}${isOpen ? `; \`sparkctl forward ${name} -n ${namespace}\` opens it here` : ''}`;
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
    stateText(podState(pod), paint),
    printable(pod.nodeName ?? '-'),
    pod.startTime ? shortDuration(now - Date.parse(pod.startTime)) : ageOf(pod, now),
    oneLine(podReason(pod)),
  ]);
  return wrappedTableLines(['POD', 'STATE', 'NODE', 'SINCE', 'WHY'], rows, columns, SHORTENED);
}
