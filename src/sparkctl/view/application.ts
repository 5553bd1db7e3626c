import { explain, type ObservedApplication } from '../../explain/explain';
import { isAtRest } from '../../explain/unattended';
import { shortDuration } from '../../text/duration';
import { LABEL_SPARK_ROLE } from '../../api/labels';
import { exitMeaning } from '../../model/cause/exit-code';
import { exceededLimit } from '../../model/cause/memory';
import { podState, type ContainerEnd, type PodView } from '../../model/pod-view';
import type { Paint } from '../../text/colours';
import { tableLines } from '../../text/table';
import { printable } from '../../text/printable';
import { fieldLines } from './fields';
import { ageOf, agoText, durationText, executorsText, reasonedState, stateText } from './rows';

/**
 * Returns the lines of `sparkctl status` for an application: its state, the reason, and the remedy.
 */
export function statusLines(known: ObservedApplication, paint: Paint, columns?: number): string[] {
  const { application, driver, now } = known;
  const { metadata, status } = application;
  const { sentence, remedy } = explain(known);
  const { podName, webUIServiceName, webUIPort, webUIIngressAddress } = status?.driverInfo ?? {};
  return fieldLines([
    ['Name', printable(metadata.name)],
    ['Namespace', printable(metadata.namespace)],
    ['State', reasonedState(known, paint)],
    ['Why', `${printable(sentence)}.`],
    ['To do', remedy === undefined ? undefined : paint(printable(remedy), 'yellow')],
    ['Driver', podName === undefined ? undefined : printable(`${podName}${driver?.nodeName ? ` on ${driver.nodeName}` : ''}`)],
    ['Executors', status ? `${executorsText(application)} run` : undefined],
    ['Pods', known.executors || isAtRest(application) ? undefined
      : `you cannot read them: \`kubectl auth can-i list pods -n ${printable(metadata.namespace)}\``],
    ['Attempts', status?.submissionAttempts === undefined ? undefined : attemptsText(status.submissionAttempts, status.executionAttempts)],
    [
      'Submitted',
      status?.lastSubmissionAttemptTime && `${agoText(status.lastSubmissionAttemptTime, now)} (${status.lastSubmissionAttemptTime})`,
    ],
    ['Ended', status?.terminationTime && `${agoText(status.terminationTime, now)} (${status.terminationTime})`],
    ['Duration', durationText(application, now)],
    ['Spark id', status?.sparkApplicationId && printable(status.sparkApplicationId)],
    ['Web UI', printable(webUIIngressAddress
      ?? (webUIServiceName ? `service ${webUIServiceName}:${webUIPort}; \`sparkctl forward ${metadata.name}\` opens it here` : ''))],
    ['Age', ageOf(application, now)],
  ], '', columns);
}

/** Returns the number of attempts, and how many of them have no driver, if not all have one. */
export function attemptsText(attempts: number, drivers = 0): string {
  const without = attempts - drivers;
  if (without <= 0) return String(attempts);
  if (attempts === 1) return '1, without a driver so far';
  return `${attempts}, ${without === attempts ? 'none of them with' : `${without} of them without`} a driver`;
}

/** Returns a table of Pods. */
export function podLines(pods: readonly PodView[], now: number, paint: Paint, columns?: number): string[] {
  const rows = pods.map((pod) => [
    printable(pod.metadata.name),
    stateText(podState(pod), paint),
    printable(pod.nodeName ?? '-'),
    pod.startTime ? shortDuration(now - Date.parse(pod.startTime)) : ageOf(pod, now),
    printable(reasonOf(pod)),
  ]);
  return tableLines(['POD', 'STATE', 'NODE', 'SINCE', 'WHY'], rows, columns);
}

function reasonOf(pod: PodView): string {
  const { obstacle, reason, terminated, unseenBy } = pod;
  if (obstacle) return [obstacle.reason, obstacle.message].filter(Boolean).join(': ');
  if (terminated) return endText(pod, terminated);
  return reason ?? (unseenBy ? `the scheduler ${unseenBy} has not processed it yet` : '');
}

/**
 * Returns how a container ended, such as `OOMKilled, exit code 137: it exceeded its memory limit of
 * 1408Mi`.
 */
function endText({ metadata: { labels } }: PodView, { exitCode, reason, message, memoryLimit }: ContainerEnd): string {
  if (exitCode === 0) return reason ?? 'Completed';
  const role = labels?.[LABEL_SPARK_ROLE] === 'executor' ? 'executor' : 'driver';
  const code = [reason === 'Error' ? undefined : reason, `exit code ${exitCode}`].filter(Boolean).join(', ');
  const why = reason === 'OOMKilled' ? exceededLimit('it', memoryLimit, role) : message ?? exitMeaning(exitCode, role);
  return why ? `${code}: ${why}` : code;
}
