import { isDeepStrictEqual } from 'node:util';
import type { SparkConnectStatus } from '../../api/spark-connect-status';

/** For how long changes of executors are gathered, in milliseconds. */
const TIME = 1_000;

/** Gathers what happens to the executors of a server that goes on: many that start together cost few writes of the status. All other news are written at once. */
export class StatusCoalescer {
  private readonly since = new Map<string, number>();

  /** @returns for how long a new status is to be held back, in milliseconds; 0: it is to be written now */
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

  /** The SparkConnect is gone. */
  forget(key: string): void {
    this.since.delete(key);
  }
}

function withoutExecutors({ executors: _, lastUpdateTime: __, ...status }: SparkConnectStatus): object {
  return JSON.parse(JSON.stringify(status)) as object;
}
