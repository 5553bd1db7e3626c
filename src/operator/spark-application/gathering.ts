import { isDeepStrictEqual } from 'node:util';
import type { SparkApplicationStatus } from '../../api/spark-application-status';
import { ExecutorState } from '../../api/states';

/** For how long changes of executors are gathered, in milliseconds: most that start together have begun to run by then, and short applications have ended. */
const TIME = 5_000;

/** The same when one has failed, which somebody may be looking for. */
const TIME_OF_FAILURES = 1_000;

/**
 * Gathers what happens to the executors of an application that goes on: hundreds of executors that start together cost a few writes of
 * the status, not hundreds. All other news are written at once, with what was gathered.
 */
export class StatusCoalescer {
  private readonly since = new Map<string, number>();

  /** @returns for how long a new status is to be held back, in milliseconds; 0: it is to be written now */
  hold(key: string, before: SparkApplicationStatus | undefined, after: SparkApplicationStatus, now: number): number {
    if (!isOnlyAboutExecutors(before, after)) {
      this.since.delete(key);
      return 0;
    }
    const since = this.since.get(key) ?? now;
    const time = hasFailures(before, after) ? TIME_OF_FAILURES : TIME;
    const left = since + time - now;
    if (left > 0) this.since.set(key, since);
    else this.since.delete(key);
    return Math.min(Math.max(left, 0), time);
  }

  /** The application is gone. */
  forget(key: string): void {
    this.since.delete(key);
  }
}

function hasFailures(before: SparkApplicationStatus | undefined, after: SparkApplicationStatus): boolean {
  return Object.entries(after.executorState ?? {}).some(([name, state]) => state === ExecutorState.FAILED && before?.executorState?.[name] !== state);
}

function isOnlyAboutExecutors(before: SparkApplicationStatus | undefined, after: SparkApplicationStatus): boolean {
  if (!before) return false;
  const [{ executorState: _, ...left }, { executorState: __, ...right }] = [before, after];
  return isDeepStrictEqual(left, right);
}
