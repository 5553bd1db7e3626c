/** Facts about a specification that is too large to be kept. */
export interface Cut {
  /** Changes with all that decides what is run. */
  readonly hash: string;
  /** Why it cannot be run, whatever else it says; a sentence. Absent if its size allows it. */
  readonly oversized?: string;
  /** The same about labels, which can change without the specification. */
  readonly oversizedLabels?: string;
}
