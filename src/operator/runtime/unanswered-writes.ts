import { mightHaveSucceeded } from '../../kube/errors';
import { keyOf, type KubeObject } from '../../kube/objects';
import { areEqualAsJson } from '../../model/json-equality';

/** An object whose status is written. */
type Owner = KubeObject & { readonly status?: object };

interface Write<T> {
  readonly before: T;
  readonly status: object;
  readonly report: (written: T) => void;
}

/**
 * Writes of a status without an answer. The operator must not decide about a successful one a
 * second time: then neither an event nor a metric would report its content. A write is remembered
 * until the object has another resource version. It was successful if the object then has the sent
 * status, from this process or in the same second from the previous leader.
 */
export class UnansweredWrites<T extends Owner> {
  private readonly writes = new Map<string, readonly Write<T>[]>();

  /** @param isSame whether a sent status equals the observed one */
  constructor(private readonly isSame: (sent: object, seen: object) => boolean = areEqualAsJson) {}

  /**
   * Waits for the answer to a write, and remembers the write if there is none. For many writes to
   * one object it remembers the first and the last ones.
   *
   * @param before the object that the write follows, by its resource version
   * @param report called by `settle` if the write was successful; after an answer the caller
   * reports it
   * @throws the error of the write
   */
  async answer<R>(before: T, status: object, report: (written: T) => void, write: Promise<R>): Promise<R> {
    const key = keyOf(before.metadata);
    try {
      const answer = await write;
      // At most one of several writes after the same resource version is successful.
      this.forget(key);
      return answer;
    } catch (error) {
      if (mightHaveSucceeded(error)) this.writes.set(key, withoutMiddle([...this.writes.get(key) ?? [], { before, status, report }]));
      throw error;
    }
  }

  /** Compares the current object with the unanswered writes, and reports a successful one. */
  settle(seen: T): void {
    const key = keyOf(seen.metadata);
    const writes = this.writes.get(key);
    if (!writes) return;
    // The object is older than the write, which might still be done.
    const open = writes.filter(({ before: { metadata } }) => (
      metadata.uid === seen.metadata.uid && metadata.resourceVersion === seen.metadata.resourceVersion
    ));
    if (open.length > 0) this.writes.set(key, open);
    else this.forget(key);
    const done = writes.find((write) => (
      !open.includes(write) && write.before.metadata.uid === seen.metadata.uid
      && this.isSame(write.status, seen.status ?? {})
    ));
    done?.report(seen);
  }

  /** Forgets a deleted object. */
  forget(key: string): void {
    this.writes.delete(key);
  }
}

/** Maximum number of remembered writes of an object while a cache makes no progress. */
const MOST = 5;

/**
 * Removes a write in the middle. Only one of several writes to the same version can succeed: if the
 * first one was done, the later ones were not.
 */
function withoutMiddle<W>(writes: readonly W[]): readonly W[] {
  return writes.length > MOST ? [writes[0]!, ...writes.slice(1 - MOST)] : writes;
}
