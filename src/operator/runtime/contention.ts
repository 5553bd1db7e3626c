import { keyOf, type KubeObject } from '../../kube/objects';
import type { StatusWriter } from '../../model/status-writers';

/**
 * Milliseconds for which an object is left to another operator: a conflict costs two writes a
 * minute.
 */
const PAUSE = 30_000;

/**
 * Field managers of users and their scripts. They repair a status by hand and do not manage the
 * object.
 */
const TOOLS = /^kubectl|^kubelet$|^curl|^k9s|^Mozilla/;

/** Object whose status the operator writes. */
type StatusOwner = KubeObject & { readonly statusWriters?: readonly StatusWriter[] };

/** The API server's answer to an own write. */
interface OwnWrite {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly writers: readonly StatusWriter[];
}

/** Object that another operator manages, too. */
export interface Contended {
  /** Milliseconds for which to leave it alone. */
  readonly remaining: number;
  /** Field manager of the other operator, if it was just detected. */
  readonly by?: string;
}

/**
 * Detects other operators that manage the same objects, and leaves these alone for a while. A
 * writer whose entry in `metadata.managedFields` is not in the API server's answer to the last own
 * write has written since.
 */
export class Contention {
  private readonly written = new Map<string, OwnWrite>();
  private readonly until = new Map<string, number>();

  /** @param manager field manager of this operator */
  constructor(private readonly manager: string) {}

  /** Records the API server's answer to an own write. */
  onWritten({ metadata, statusWriters }: StatusOwner): void {
    if (!statusWriters) return;
    this.written.set(keyOf(metadata), { uid: metadata.uid, resourceVersion: metadata.resourceVersion, writers: statusWriters });
  }

  /** Checks an object before a reconcile. Returns undefined if no other operator manages it. */
  check(object: StatusOwner, now: number): Contended | undefined {
    const key = keyOf(object.metadata);
    const by = this.newWriter(key, object);
    if (by !== undefined) {
      // One report for each write of the other operator.
      this.written.delete(key);
      this.until.set(key, now + PAUSE);
    }
    const remaining = (this.until.get(key) ?? 0) - now;
    return remaining > 0 ? { remaining, by } : undefined;
  }

  /** Forgets a deleted object. */
  forget(key: string): void {
    this.written.delete(key);
    this.until.delete(key);
  }

  private newWriter(key: string, { metadata: { uid, resourceVersion }, statusWriters = [] }: StatusOwner): string | undefined {
    const own = this.written.get(key);
    if (own?.uid !== uid || own?.resourceVersion === resourceVersion) return undefined;
    const isKnown = ({ manager, time }: StatusWriter) => own!.writers.some((writer) => writer.manager === manager && writer.time === time);
    return statusWriters.filter((writer) => writer.manager !== this.manager && !TOOLS.test(writer.manager) && !isKnown(writer))
      .sort((a, b) => b.time - a.time)[0]?.manager;
  }
}
