/** Maximum number of successive runs of a schedule in `PlannedRuns`. */
export const MAX_PLANNED_RUNS = 500;

/**
 * Times of future runs, by `namespace/name` of the schedule. The first ones are successive. If
 * there are more than `MAX_PLANNED_RUNS`, some of the others follow.
 */
export type PlannedRuns = Readonly<Record<string, readonly number[]>>;

/** Run that a schedule skipped. */
export interface SkippedRun {
  readonly at: number;
  /** Text of the event: the run and the reason. */
  readonly message: string;
}

/** Skipped runs, oldest first. */
export interface SkippedRuns {
  readonly runs: readonly SkippedRun[];
  /** Permissions that the user lacks to read them, such as `list events in team-a`. */
  readonly hidden: readonly string[];
}
