import type { Driver } from './driver';
import type { SubmissionFailure } from './submission-failure';

/** State of a waiting application. */
interface Wait {
  /** Uid of the application: another one of the same name has its own state. */
  readonly uid: string;
  /** Whether it waits for the creation or for the start of the driver. */
  readonly phase: 'creation' | 'start';
  /** Submission ID; the next submission has a new wait. */
  readonly submissionID: string | undefined;
  /** Start of the wait for something that needs user action. */
  since?: number;
  /**
   * Earliest time of the next attempt to create the driver, and the generation of the application.
   */
  notBefore?: number;
  generation?: number;
}

/** Current state of a waiting driver. */
export interface Waiting extends Pick<Wait, 'uid' | 'phase' | 'submissionID'> {
  readonly generation: number | undefined;
  readonly driver: Driver;
  /** Failure of the last attempt to create the driver. */
  readonly failure?: SubmissionFailure;
}

/** Facts about a wait for decisions. */
export interface WaitSoFar {
  /**
   * Start of the driver's wait for something that needs user action, in milliseconds since the
   * epoch.
   */
  readonly stuckSince?: number;
  /** Earliest time of the next attempt to create the driver, in milliseconds since the epoch. */
  readonly notBefore?: number;
}

/**
 * Records since when applications have waited for something that needs user action, and when to
 * retry. It uses the operator's clock and only counts time since its first observation. So slow
 * pulls, quotas, wrong clocks of nodes and restarts of the operator do not fail an application.
 */
export class Waits {
  private readonly waits = new Map<string, Wait>();

  /** Number of recorded applications. */
  get size(): number {
    return this.waits.size;
  }

  /** Records the current state. @returns facts about the wait for a decision */
  observe(key: string, { uid, generation, phase, submissionID, driver, failure }: Waiting, now: number): WaitSoFar {
    const before = this.waits.get(key);
    const wait: Wait = before?.uid === uid && before.phase === phase && before.submissionID === submissionID
      ? before
      : { uid, phase, submissionID };
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

  /** Records a failed attempt: the next one is at `time`, unless the application changes before. */
  retryAt(key: string, time: number, generation: number | undefined): void {
    const wait = this.waits.get(key);
    if (wait) Object.assign(wait, { notBefore: time, generation });
  }

  /** Removes the wait of an application. */
  forget(key: string): { stuckSince?: undefined } {
    this.waits.delete(key);
    return {};
  }
}
