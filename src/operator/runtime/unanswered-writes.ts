import { isDeepStrictEqual } from 'node:util';
import { mightHaveSucceeded } from '../../kube/errors';
import { keyOf, type KubeObject } from '../../kube/objects';

/** An object whose status is written. */
type Owner = KubeObject & { readonly status?: object };

interface Write<T> {
  readonly before: T;
  readonly status: object;
  readonly report: (written: T) => void;
}

/**
 * Writes of a status that were not answered. One that was done all the same is not decided a second time, so that nobody would be told of what it says: neither by an event nor by
 * a metric. It is remembered until the object is seen with another resource version, and with what was sent if it was done: by this process, or in the same second by one that led before.
 */
export class UnansweredWrites<T extends Owner> {
  private readonly writes = new Map<string, readonly Write<T>[]>();

  /** @param isSame whether a status that was sent is the one that is seen, both as JSON */
  constructor(private readonly isSame: (sent: object, seen: object) => boolean = isDeepStrictEqual) {}

  /**
   * Waits for the answer to a write, and remembers the write if there is none: of many to one object the first and the last ones.
   *
   * @param before the object that the write follows, by its resource version
   * @param tell called by `settle` if the write was done, and not before; after an answer the caller tells
   * @throws what the write throws
   */
  async answer<R>(before: T, status: object, tell: (written: T) => void, write: Promise<R>): Promise<R> {
    const key = keyOf(before.metadata);
    try {
      const answer = await write;
      // Of several that follow the same resource version one is done at most.
      this.forget(key);
      return answer;
    } catch (error) {
      if (mightHaveSucceeded(error)) this.writes.set(key, withoutMiddle([...this.writes.get(key) ?? [], { before, status, report: tell }]));
      throw error;
    }
  }

  /** Looks at an object as it is seen now, and tells of what was written of it without an answer. */
  settle(seen: T): void {
    const key = keyOf(seen.metadata);
    const writes = this.writes.get(key);
    if (!writes) return;
    // What is seen is of before the write: it may come yet.
    const open = writes.filter(({ before: { metadata } }) => metadata.uid === seen.metadata.uid && metadata.resourceVersion === seen.metadata.resourceVersion);
    if (open.length > 0) this.writes.set(key, open);
    else this.forget(key);
    const done = writes.find((write) => !open.includes(write) && write.before.metadata.uid === seen.metadata.uid && this.isSame(asJson(write.status), asJson(seen.status ?? {})));
    done?.report(seen);
  }

  /** The object is gone. */
  forget(key: string): void {
    this.writes.delete(key);
  }
}

/** So many of an object are remembered while a cache does not go on. */
const MOST = 5;

/** Whatever was written first, those after it were not; unless it was not written. */
function withoutMiddle<W>(writes: readonly W[]): readonly W[] {
  return writes.length > MOST ? [writes[0]!, ...writes.slice(1 - MOST)] : writes;
}

/** Without fields that are undefined, which are not sent. */
function asJson(status: object): object {
  return JSON.parse(JSON.stringify(status)) as object;
}
