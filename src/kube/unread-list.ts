/**
 * A list whose objects are parsed on demand; parsing throws for an invalid one. The objects can be
 * iterated over once.
 */
export interface UnreadList {
  /** Absent if the answer has none, and so is not a list. */
  readonly metadata?: object;
  /** Absent if the answer has none, and so is not a list. */
  readonly items?: Iterable<object>;
}

/** Iterates over objects, and calls a function after the last one. */
export function* readToTheEnd<T>(items: Iterable<T>, onEnd: () => void): Generator<T> {
  yield* items;
  onEnd();
}
