import { mayBeSecret, presentable, problemText, type Problem } from '../model/problem';

/** The parts of a SubmissionError. */
export interface SubmissionErrorDetails {
  /** The path of the mistake, such as `spec.driver.memory` or `spec.sparkConf[spark.master]`. */
  readonly field: string;
  /** The value there. The error omits it if the field can contain a secret. */
  readonly value?: string;
  /** The problem, as the rest of a sentence that starts with the field: `is not …`. */
  readonly reason: string;
  /** The remedy, as an imperative: `write …`. */
  readonly remedy: string;
}

const BRAND = Symbol.for('cdk8s-spark-operator.SubmissionError');

/**
 * An application that cannot be submitted. A retry does not help: its specification has to change.
 * The message is one sentence for users with the field, the problem and the remedy. It contains no
 * secrets.
 */
export class SubmissionError extends Error {
  /** Whether an error is a SubmissionError, even of another copy of this module. */
  public static is(error: unknown): error is SubmissionError {
    return typeof error === 'object' && error !== null && BRAND in error;
  }

  /** The path of the mistake, such as `spec.driver.memory` or `spec.sparkConf[spark.master]`. */
  public readonly field: string;
  /** The value there; undefined if there is none, or if it can be a secret. */
  public readonly value?: string;
  /** The problem. */
  public readonly reason: string;
  /** The remedy. */
  public readonly remedy: string;

  constructor(details: SubmissionErrorDetails) {
    const { field, value, reason, remedy } = details;
    super(problemText({ path: field, value, reason, remedy }));
    this.name = 'SubmissionError';
    this.field = field;
    this.value = value === undefined || mayBeSecret(field) ? undefined : presentable(value);
    this.reason = reason;
    this.remedy = remedy;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Returns the error as a problem. */
  public get problem(): Problem {
    return { path: this.field, value: this.value, reason: this.reason, remedy: this.remedy };
  }
}
