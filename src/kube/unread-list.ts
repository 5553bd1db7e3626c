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
