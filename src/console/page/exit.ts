import { executorFailuresText } from '../../model/cause/executor-failures';
import type { ApplicationRow, Attempt, AttemptExecutors } from '../wire';

/** Returns the executors of an attempt, such as `peak 4 of 4; 2 failed: Evicted`. */
export function executorsText({ requested, peak, failed, failures }: AttemptExecutors): string {
  const most = `peak ${peak}${requested === undefined ? '' : ` of ${requested}`}`;
  if (failed === 0) return most;
  return `${most}; ${failed} failed${failures.length > 0 ? `: ${executorFailuresText(failures)}` : ''}`;
}

/** Returns the executors of an application in words; after its last attempt, by its record. */
export function executorsNow({ executors: counts, ended }: ApplicationRow, last: Attempt | undefined): string {
  // Executors that end with their driver are FAILED in the status; the attempt knows better.
  const hasEnded = ended !== undefined || last?.to !== undefined;
  // The chart is about all attempts.
  const ofLast = last && last.number > 1 ? `attempt ${last.number}: ` : '';
  const recorded = last?.executors;
  if (recorded && recorded.peak + recorded.failed > 0 && (hasEnded || !counts)) return ofLast + executorsText(recorded);
  if (counts && !(recorded && hasEnded)) {
    const { running, pending, completed, failed, unknown } = counts;
    return `${running} running, ${pending} pending, ${completed} completed, ${failed} failed${unknown ? `, ${unknown} unknown` : ''}`;
  }
  return `${ofLast}${hasEnded ? 'none' : 'none yet'}`;
}
