import { keyOf } from '../../kube/objects';
import type { SparkApplication } from '../../model/spark-application';
import { notice, type Sighting } from '../../model/status-writers';
import { Pauses } from './standing-back';

/** How an application is to be left alone. */
export interface ContendedWrite {
  /** For how long, in milliseconds. */
  readonly remaining: number;
  /** What has just been noticed: a sentence without a full stop. */
  readonly reason?: string;
}

/**
 * Notices other operators at work on the same applications, and leaves these to them for a while. What is remembered of an application is
 * the answer to the last write of its status.
 */
export class Contention {
  private readonly written = new Map<string, Sighting>();
  private readonly standingBack = new Pauses();

  /** @param manager the name under which the API server records this operator */
  constructor(private readonly manager: string) {}

  /** The API server's answer to a write of ours. */
  onWritten(application: SparkApplication): void {
    this.written.set(keyOf(application.metadata), sightingOf(application));
  }

  /** Looks at an application before anything is done about it. `now` is in milliseconds. */
  check(application: SparkApplication, now: number): ContendedWrite | undefined {
    const key = keyOf(application.metadata);
    const previous = this.written.get(key);
    const seen = previous && notice(previous, sightingOf(application), this.manager);
    if (seen) {
      // Told once for each write of theirs.
      this.written.delete(key);
      this.standingBack.noticed(key, now);
    }
    const remaining = this.standingBack.remaining(key, now);
    return remaining > 0 ? { remaining, reason: seen?.reason } : undefined;
  }

  /** How many applications are left alone. */
  count(now: number): number {
    return this.standingBack.count(now);
  }

  /** The application is gone. */
  forget(key: string): void {
    this.written.delete(key);
    this.standingBack.forget(key);
  }
}

function sightingOf({ metadata: { uid, resourceVersion }, status, statusWriters }: SparkApplication): Sighting {
  return { uid, resourceVersion: resourceVersion ?? '', status, writers: statusWriters };
}
