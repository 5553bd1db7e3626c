import { mayBeSecret, presentable, problemText, type Problem } from '../model/problem';

/** What a SubmissionError is made of. */
export interface SubmissionErrorDetails {
  /** Where the mistake is, such as `spec.driver.memory` or `spec.sparkConf[spark.master]`. */
  readonly field: string;
  /** What is written there. It is left out of the error if the field can hold a secret. */
  readonly value?: string;
  /** What is wrong, as the rest of a sentence that starts with the field: `is not …`. */
  readonly reason: string;
  /** What to do instead, as an imperative: `write …`. */
  readonly remedy: string;
}

const BRAND = Symbol.for('cdk8s-spark-operator.SubmissionError');

/**
 * An application cannot be submitted as it is written. Trying again does not help: its specification has to change.
 * The message is one sentence for users: where the mistake is, what is wrong, what to write instead. It holds no secrets.
 */
export class SubmissionError extends Error {
  /** Whether an error is a SubmissionError, also one of another copy of this module. */
  public static is(error: unknown): error is SubmissionError {
    return typeof error === 'object' && error !== null && BRAND in error;
  }

  /** Where the mistake is, such as `spec.driver.memory` or `spec.sparkConf[spark.master]`. */
  public readonly field: string;
  /** What is written there; undefined if nothing is, or if it can be a secret. */
  public readonly value?: string;
  /** What is wrong. */
  public readonly reason: string;
  /** What to do instead. */
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

  /** The error as a problem. */
  public get problem(): Problem {
    return { path: this.field, value: this.value, reason: this.reason, remedy: this.remedy };
  }
}
