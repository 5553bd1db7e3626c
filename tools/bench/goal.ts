/** A goal, and what became of it. */
export interface Goal {
  /** Short, and the same whatever was measured: `remarks.md` says under this heading why it was missed. */
  readonly name: string;
  /** What is measured. */
  readonly what: string;
  /** What is to be reached. */
  readonly goal: string;
  readonly measured: string;
  readonly met: boolean;
}

/** Marks a goal that was not asked for: what is to be reached was chosen by those who built it. */
export function ourOwn(goal: string): string {
  return `${goal} (our own)`;
}
