/** Facts about a specification that is too large to keep in memory. */
export interface Cut {
  /** Hash of everything that influences the run. */
  readonly hash: string;
  /** Reason why the specification is too large to run, as a sentence. Absent if it is not. */
  readonly oversized?: string;
  /** The same for labels, which can change without the specification. */
  readonly oversizedLabels?: string;
}
