/** A list of which the objects have not been read yet: each is when it is asked for, and that throws if it cannot be. They can be iterated over once. */
export interface UnreadList {
  /** Absent if the answer has none, and is no list for it. */
  readonly metadata?: object;
  /** Absent if the answer has none, and is no list for it. */
  readonly items?: Iterable<object>;
}

/** Objects as they are, with a call when the last of them has been read. */
export function* readToTheEnd<T>(items: Iterable<T>, onEnd: () => void): Generator<T> {
  yield* items;
  onEnd();
}
