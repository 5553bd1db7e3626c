import { isDeepStrictEqual } from 'node:util';
import type { SparkConnectStatus } from '../../api/spark-connect-status';

/** Milliseconds for which changes of executors are coalesced. */
const TIME = 1_000;

/**
 * Coalesces the changes of executors while their server continues, so that many simultaneous starts
 * need few status writes. All other changes are written at once.
 */
export class StatusCoalescer {
  private readonly since = new Map<string, number>();

  /** Returns the milliseconds for which to delay a new status; 0: write it now. */
  hold(key: string, before: SparkConnectStatus | undefined, after: SparkConnectStatus, now: number): number {
    const since = this.since.get(key) ?? now;
    const left = since + TIME - now;
    if (!before || left <= 0 || !isDeepStrictEqual(withoutExecutors(before), withoutExecutors(after))) {
      this.since.delete(key);
      return 0;
    }
    this.since.set(key, since);
    return Math.min(left, TIME);
  }

  /** Forgets a deleted SparkConnect. */
  forget(key: string): void {
    this.since.delete(key);
  }
}

function withoutExecutors({ executors: _, lastUpdateTime: __, ...status }: SparkConnectStatus): object {
  return JSON.parse(JSON.stringify(status)) as object;
}
