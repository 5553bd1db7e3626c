import { isDeepStrictEqual } from 'node:util';

/** Changes of a status that can wait for others. */
export interface CoalescedChanges<S> {
  /** Fields whose changes can wait. */
  readonly fields: readonly (keyof S & string)[];
  /** Returns the milliseconds for which a change of these fields can wait. */
  readonly time: (before: S, after: S) => number;
}

/**
 * Coalesces changes of a status, so that hundreds of executors that start together need a few
 * writes. All other changes are written at once, together with the delayed ones.
 */
export class StatusCoalescer<S extends object> {
  private readonly since = new Map<string, number>();

  constructor(private readonly changes: CoalescedChanges<S>) {}

  /** Returns the milliseconds for which to delay a new status; 0: write it now. */
  hold(key: string, before: S | undefined, after: S, now: number): number {
    if (!before || !isDeepStrictEqual(this.others(before), this.others(after))) {
      this.since.delete(key);
      return 0;
    }
    const since = this.since.get(key) ?? now;
    const time = this.changes.time(before, after);
    const left = since + time - now;
    if (left > 0) this.since.set(key, since);
    else this.since.delete(key);
    return Math.min(Math.max(left, 0), time);
  }

  /** Forgets a deleted object. */
  forget(key: string): void {
    this.since.delete(key);
  }

  private others(status: S): object {
    const fields: readonly string[] = this.changes.fields;
    const others = Object.entries(status).filter(([name]) => !fields.includes(name));
    return JSON.parse(JSON.stringify(Object.fromEntries(others))) as object;
  }
}
