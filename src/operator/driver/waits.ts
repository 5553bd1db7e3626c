import type { Driver } from './driver';
import type { SubmissionFailure } from './hindrance';

/** What is remembered of an application that waits. */
interface Wait {
  /** The application: another one of the same name inherits nothing. */
  readonly uid: string;
  /** For the creation of the driver, or for its start. */
  readonly phase: 'creation' | 'start';
  /** Of which submission: the next one begins to wait anew. */
  readonly submissionID: string | undefined;
  /** Since when it has been waiting for what does not come by itself. */
  since?: number;
  /** When the creation is to be tried again, and of which generation of the application. */
  notBefore?: number;
  generation?: number;
}

/** What waits, as it is now. */
export interface Waiting extends Pick<Wait, 'uid' | 'phase' | 'submissionID'> {
  readonly generation: number | undefined;
  readonly driver: Driver;
  /** What hindered the creation of the driver, when it was just tried. */
  readonly failure?: SubmissionFailure;
}

/** What a decision needs to know of a wait. */
export interface WaitSoFar {
  /** Since when the driver has been waiting for what does not come by itself, in milliseconds since the epoch. */
  readonly stuckSince?: number;
  /** When the creation of the driver is to be tried again at the earliest, in milliseconds since the epoch. */
  readonly notBefore?: number;
}

/**
 * Remembers since when applications have been waiting for what does not come by itself, and when to try again. By the operator's own clock and since
 * it looks: a pull that took long, a quota, a node's clock that is wrong or a pause of the operator is not held against an application.
 */
export class Waits {
  private readonly waits = new Map<string, Wait>();

  /** How many applications are remembered. */
  get size(): number {
    return this.waits.size;
  }

  /** Takes in how it is now. @returns what a decision needs to know of the wait */
  observe(key: string, { uid, generation, phase, submissionID, driver, failure }: Waiting, now: number): WaitSoFar {
    const before = this.waits.get(key);
    const wait: Wait = before?.uid === uid && before.phase === phase && before.submissionID === submissionID ? before : { uid, phase, submissionID };
    if (phase === 'start') {
      const isStuck = driver.kind === 'ours' && driver.pod.obstacle?.passes === false;
      if (!isStuck) return this.forget(key);
      wait.since ??= now;
    } else if (failure?.kind === 'lasting' || driver.kind === 'leaving' || driver.kind === 'earlier') {
      wait.since ??= now;
    } else if (failure) {
      wait.since = undefined;
    }
    this.waits.set(key, wait);
    return { stuckSince: wait.since, notBefore: wait.generation === generation ? wait.notBefore : undefined };
  }

  /** After a try that was hindered: the next one is at `time`, unless the application is changed before. */
  retryAt(key: string, time: number, generation: number | undefined): void {
    const wait = this.waits.get(key);
    if (wait) Object.assign(wait, { notBefore: time, generation });
  }

  /** The application does not wait any more. */
  forget(key: string): { stuckSince?: undefined } {
    this.waits.delete(key);
    return {};
  }
}
