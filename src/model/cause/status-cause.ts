import { POD_DELETED } from '../last-driver';
import { causeInMessage, exitText, isLastOutput } from './container-cause';
import { isAmbiguous, isMeaningOfDriver } from './exit-code';
import { exceededLimit, withMemory, type MemorySpec } from './memory';
import { obstacleText } from './obstacle-text';

/** The operator's text about an ended container. kubeflow's operator writes its beginning. */
const CONTAINER_END = /^(driver|server) container (?:failed|ended) with ExitCode: (\d{1,3}), Reason: ([^;\n]{1,253})(?:; ([^]*))?$/;

/**
 * Whether an error message of a status is about a driver that ended by itself, so that its log can
 * have the cause.
 */
export function isDriverEnd(message: string | undefined): boolean {
  const [, role, , reason] = CONTAINER_END.exec(message ?? '') ?? [];
  return role === 'driver' && reason !== 'OOMKilled';
}

/** Whether an error message of a status is about a driver that the kernel killed without a log. */
export function isDriverKilled(message: string | undefined): boolean {
  const [, role, , reason] = CONTAINER_END.exec(message ?? '') ?? [];
  return role === 'driver' && reason === 'OOMKilled';
}

/**
 * Start of the message of each failed submission, for alerts, before the rejection of an object
 * that the operator itself created.
 */
const WITHOUT_SUBMIT = /\bfailed to run spark-submit: (?=the API server (?:does not create (?!a Pod:)|did not finish the creation ))/;

/** Start of the message about a driver that does not start, before the reason of its pod. */
const NOT_STARTED = /^driver does not start: /;

/**
 * Returns a message or cause of a status for users, so that it begins with the reason: without the
 * words about spark-submit if the submission did not run it, and about a driver that does not
 * start.
 */
export function shownMessage(message: string): string {
  return message.replace(WITHOUT_SUBMIT, '').replace(NOT_STARTED, '');
}

/** Returns a message of a status for users as `shownMessage`, in fewer words. */
export function shortMessage(message: string): string {
  return obstacleText(shownMessage(message));
}

/** Events of a pod, which older versions of the operator write before the lines of the log. */
const OF_POD = new RegExp(`^(?:${POD_DELETED}|(?:Evicted|Preempting|NodeShutdown|NodeLost|Terminated|DeadlineExceeded)\\b[^;\\n]*)(?:; |$)`);

/** Returns the cause in several lines: what happened to the pod, or the cause in the log. */
function causeInLines(text: string, exitCode: number, reason: string | undefined): string {
  const ofPod = OF_POD.exec(text)?.[0] ?? '';
  const cause = causeInMessage({ exitCode, reason, message: text.slice(ofPod.length) });
  return [ofPod.replace(/; $/, ''), cause].filter(Boolean).join('; ');
}

/** Facts that the status does not have. */
export interface KnownEnd {
  /** The complete specification. */
  readonly spec?: MemorySpec;
  /** Memory limit of the driver's container. */
  readonly memoryLimit?: string;
  /** The end of the driver's log, as the user can read it. */
  readonly log?: string;
}

/**
 * Returns the cause of a failure in one line for users, without the platform's words around it.
 */
export function shownCause(message: string, known?: KnownEnd): string {
  return obstacleText(causeInStatus(shownMessage(message), known));
}

/**
 * Returns the cause of a failure in one line, by the error message of a status: without the exit
 * code and reason of the container if the cause is more specific.
 *
 * @param known facts that the status does not have; the log is preferred to the cause in the status
 */
export function causeInStatus(message: string, known: KnownEnd = {}): string {
  const [, role, code, reason, rest = ''] = CONTAINER_END.exec(message) ?? [];
  if (role === undefined) return message.split('\n').map((line) => line.trim()).filter(Boolean).join(' ');
  const [owner, exitCode] = [`the ${role}`, Number(code)];
  // The text of older versions of the operator has several lines of the log.
  const written = rest.includes('\n') ? causeInLines(rest, exitCode, reason) : rest;
  if (reason === 'OOMKilled') {
    return written.includes('memory limit') ? written : exceededLimit(`${owner}'s container`, known.memoryLimit, 'driver', known.spec);
  }
  const logged = known.log === undefined ? undefined : causeInMessage({ exitCode, reason, message: known.log });
  const cause = logged !== undefined && (written === '' || isLastOutput(written) || !isLastOutput(logged)) ? logged : written;
  if (cause === '') return exitText(owner, exitCode, role === 'driver' ? 'driver' : 'server');
  if (isLastOutput(cause)) {
    const end = isAmbiguous(exitCode) ? `${owner} ended with exit code ${exitCode}` : exitText(owner, exitCode, 'driver');
    return `${end}; ${cause}`;
  }
  const isMeaning = isMeaningOfDriver(cause) || /^(?:terminated|killed|aborted|crashed) by SIG/.test(cause);
  return isMeaning ? exitText(owner, exitCode, 'driver') : withMemory(cause, known.spec);
}
