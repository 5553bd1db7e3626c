import type { AttemptExecutors, ExecutorFailures } from '../../api/spark-application-status';
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

/** Returns the executors that failed, such as `2 executors failed: Evicted`; undefined without. */
export function failedExecutorsText({ failed = 0, failures = [] }: AttemptExecutors = {}): string | undefined {
  if (failed === 0) return undefined;
  const reasons = failures.length > 0 ? `: ${executorFailuresText(failures)}` : '';
  return `${failed === 1 ? '1 executor' : `${failed} executors`} failed${reasons}`;
}

/** Returns the most frequent failure in a few words, such as `executors OOMKilled`. */
export function failedExecutorsWords({ failures = [] }: AttemptExecutors = {}): string | undefined {
  const [first] = [...failures].sort((a, b) => b.count - a.count);
  if (!first) return undefined;
  return `executors ${first.reason === 'Error' && first.exitCode !== undefined ? `exit code ${first.exitCode}` : first.reason}`;
}

/** Returns one failure in words. Kubernetes' reason `Error` is less specific than the exit code. */
function failureText({ reason, exitCode }: ExecutorFailures): string {
  if (exitCode === undefined) return reason;
  if (reason !== 'Error') return `${reason}, exit code ${exitCode}`;
  const meaning = exitMeaning(exitCode, 'executor');
  return `exit code ${exitCode}${meaning === undefined ? '' : `: ${meaning}`}`;
}
