import type { ExecutorFailures } from '../../api/spark-application-status';
import { exitMeaning } from './exit-code';

/**
 * Returns why executors of an attempt failed, such as `Evicted (2); exit code 52: out of memory: a
 * Java OutOfMemoryError`. A single reason has no number.
 */
export function executorFailuresText(failures: readonly ExecutorFailures[]): string {
  return failures.map((failure) => (
    `${failureText(failure)}${failures.length > 1 && failure.count > 1 ? ` (${failure.count})` : ''}`
  )).join('; ');
}

/** Returns one failure in words. Kubernetes' reason `Error` is less specific than the exit code. */
function failureText({ reason, exitCode }: ExecutorFailures): string {
  if (exitCode === undefined) return reason;
  if (reason !== 'Error') return `${reason}, exit code ${exitCode}`;
  const meaning = exitMeaning(exitCode, 'executor');
  return `exit code ${exitCode}${meaning === undefined ? '' : `: ${meaning}`}`;
}
