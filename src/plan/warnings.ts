/**
 * Something that the user wrote and that has no effect, or not the one that it seems to have. The application is submitted all the same;
 * an event and `sparkctl render` tell of it. It holds no values, as those can be secrets.
 */
export interface SubmissionWarning {
  /** Where it is written, such as `spec.sparkConf[spark.executor.memory]`. */
  readonly field: string;
  /** What becomes of it and why, as the rest of a sentence that starts with the field: `is overridden by spec.executor.memory`. */
  readonly message: string;
}

/** A value that another field replaces. */
export function overridden(field: string, by: string): SubmissionWarning {
  return { field, message: `is overridden by ${by}` };
}

/** The sentence for people. */
export function warningText({ field, message }: SubmissionWarning): string {
  return `${field} ${message}`;
}
