import type { AttemptExecutors, PodRow } from '../wire';

/**
 * Meanings of Spark's own exit codes (SparkExitCode, ExecutorExitCode), and of signals by the
 * convention of shells.
 */
const MEANINGS: Readonly<Record<number, string>> = {
  50: 'uncaught exception', 51: 'uncaught exception', 52: 'out of memory in the JVM', 53: 'no local directory could be created',
  56: 'no heartbeat to the driver', 57: 'killed by the task reaper', 58: 'not registered at the driver again',
  134: 'aborted', 137: 'killed (SIGKILL)', 139: 'crashed (SIGSEGV)', 143: 'stopped (SIGTERM)',
};

/** Returns why a pod does not start, or how it ended; empty for one that runs. */
export function exitText({ reason, exitCode, role, ended }: Pick<PodRow, 'reason' | 'exitCode' | 'role' | 'ended'>): string {
  const isPlain = reason === 'Error' || reason === 'Completed';
  const meaning = exitCode === undefined || (role === 'driver' && exitCode < 128) ? undefined : MEANINGS[exitCode];
  const code = exitCode ? `exit code ${exitCode}${meaning ? `: ${meaning}` : ''}` : ended !== undefined && exitCode === 0 ? 'exit code 0' : undefined;
  return [isPlain && code ? undefined : reason, code].filter(Boolean).join(', ');
}

/** Returns the executors of an attempt, such as `peak 4 of 4; 2 failed: OOMKilled (2)`. */
export function executorsText({ requested, peak, failed, failures }: AttemptExecutors): string {
  const most = `peak ${peak}${requested === undefined ? '' : ` of ${requested}`}`;
  if (failed === 0) return most;
  const reasons = failures.map(({ reason, exitCode, count }) => (
    `${exitText({ role: 'executor', reason, ...(exitCode !== undefined && { exitCode }) }) || reason}${count > 1 ? ` (${count})` : ''}`
  ));
  return `${most}; ${failed} failed${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`;
}
