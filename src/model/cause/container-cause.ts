import { boundedText } from '../../text/bounded-text';
import { exitMeaning, wasKilled, type ExitRole } from './exit-code';
import { bounded, causeInLog, MAX_CAUSE } from './log-cause';
import { isLikelyCut, linesOf, recordOf } from './log-lines';
import { errorsIn } from './logged-error';
import { isJavaFrame, isPythonFrame } from './own-frame';

/** End of a container in the status of its pod. */
export interface EndedContainer {
  readonly exitCode: number;
  readonly reason?: string;
  /** Termination message: the container's own, or the last lines of its log. */
  readonly message?: string;
}

/** Reasons of containers that did not start; their message is that of the container runtime. */
const NOT_STARTED = new Set(['StartError', 'ContainerCannotRun', 'CreateContainerError', 'RunContainerError']);

/**
 * Returns the cause for which a container ended by its termination message, in one line of bounded
 * length. It is a copy, which does not keep the message in memory.
 *
 * @returns undefined if the container was killed, or the message has no cause
 */
export function causeInMessage({ exitCode, reason, message }: EndedContainer): string | undefined {
  if (!message || exitCode === 0 || reason === 'OOMKilled') return undefined;
  if (reason !== undefined && NOT_STARTED.has(reason)) return copyOf(bounded(message.replace(/\s+/g, ' ').trim()));
  const cause = causeInLog(message);
  // The output of a killed program is not the cause, except for its lack of memory.
  if (wasKilled(exitCode, reason) && !cause?.startsWith('OutOfMemoryError')) return undefined;
  return copyOf(cause ?? lastOutput(message));
}

function copyOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : boundedText(text, MAX_CAUSE);
}

const LAST_OUTPUT = 'last output: ';

/** Lines that the JVM, Spark's scripts and Ivy write. */
const OF_PLATFORM = new RegExp(
  "^(?:WARNING: |SLF4J: |Picked up |log4j:|Using Spark's default log4j |Setting default log level |Files? \\S+ from |Run with --help"
  + "|Calls: |Execution halted|Driver stacktrace:|During handling|=== |[\\s#:+~'!])",
);

/**
 * Returns the last line that a program wrote itself, marked as such: it might be the error that it
 * reported before it ended.
 */
export function lastOutput(log: string): string | undefined {
  const lines = linesOf(log, isLikelyCut(log));
  // The lines might be the rest of an error whose beginning is missing.
  if (errorsIn(lines).length > 0 || lines.some((each) => isJavaFrame(each) || each === 'Logical Plan:')) return undefined;
  const line = lines.findLast((each) => (
    each !== '' && recordOf(each) === undefined && !isJavaFrame(each) && !isPythonFrame(each) && !OF_PLATFORM.test(each)
  ));
  return line === undefined ? undefined : bounded(`${LAST_OUTPUT}${line.trim()}`);
}

/**
 * Returns the exit code of a container and its meaning as a sentence.
 *
 * @param owner such as `the driver`
 */
export function exitText(owner: string, exitCode: number, role: ExitRole): string {
  const meaning = exitMeaning(exitCode, role);
  return `${owner} ended with exit code ${exitCode}${meaning ? `: ${meaning}` : ''}`;
}

/** Whether a cause is only the last output of a program. */
export function isLastOutput(cause: string): boolean {
  return cause.startsWith(LAST_OUTPUT);
}
