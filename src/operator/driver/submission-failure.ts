import { SubmissionError } from '../../plan/errors';

/** Failure to create a driver. */
export interface SubmissionFailure {
  readonly reason: string;
  /**
   * - `final`: a retry would fail again
   * - `lasting`: it needs user action
   * - `passing`: it can disappear without user action, such as an exhausted quota
   */
  readonly kind: 'final' | 'lasting' | 'passing';
  /**
   * Whether the API server rejected an object, or spark-submit failed. kubeflow/spark-operator
   * fails the submission at once for that, and so does this operator if the application has retries
   * of failed submissions.
   * @default false
   */
  readonly isRefusal?: boolean;
  /** Maximum milliseconds until the retry. @default - backoff up to half a minute */
  readonly retryWithin?: number;
}

/**
 * Error of a submission that cannot continue, temporarily or permanently, with the failure for the
 * status.
 */
export class SubmissionFailedError extends Error {
  public readonly failure: SubmissionFailure;

  constructor(failure: SubmissionFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** Returns the failure of a submission by its error; undefined for errors that are retried. */
export function submissionFailureOf(error: unknown): SubmissionFailure | undefined {
  if (SubmissionError.is(error)) return { reason: error.message, kind: 'final' };
  return error instanceof SubmissionFailedError ? error.failure : undefined;
}

/**
 * Whether two messages are equal except for numbers. Ports, durations and amounts change with every
 * attempt, and are not worth a write or an event.
 */
export function sameButForNumbers(a: string | undefined, b: string | undefined): boolean {
  return (a && withoutNumbers(a)) === (b && withoutNumbers(b));
}

/** Returns a message with the same number in place of each. */
export function withoutNumbers(message: string): string {
  return message.replace(/\d+/g, '0');
}
