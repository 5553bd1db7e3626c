import { exitMeaning, isAmbiguous } from '../../model/cause/exit-code';
import type { ApplicationRow, Attempt, AttemptExecutors, PodRow } from '../wire';

/** Returns why a pod does not start, or how it ended; empty for one that runs. */
export function exitText({ reason, exitCode, role, ended }: Pick<PodRow, 'reason' | 'exitCode' | 'role' | 'ended'>): string {
  const isPlain = reason === 'Error' || reason === 'Completed';
  const meaning = exitCode === undefined || (role === 'driver' && isAmbiguous(exitCode)) ? undefined : exitMeaning(exitCode, role);
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

/** Returns the executors of an application in words; after its last attempt, by its record. */
export function executorsNow({ executors: counts, ended }: ApplicationRow, last: Attempt | undefined): string {
  // Executors that end with their driver are FAILED in the status; the attempt knows better.
  const hasEnded = ended !== undefined || last?.to !== undefined;
  if (last?.executors && (hasEnded || !counts) && last.executors.peak + last.executors.failed > 0) return executorsText(last.executors);
  if (counts) return `${counts.running} running, ${counts.pending} pending, ${counts.completed} completed, ${counts.failed} failed`;
  return hasEnded ? 'none' : 'none yet';
}
