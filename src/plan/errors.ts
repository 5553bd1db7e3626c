import { mayHoldSecret } from '../text/secret-names';
import { beginningOf } from '../text/shorten';
import { withoutSecrets } from '../text/redaction';

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

/** The longest value that a message repeats, in characters. */
const MAX_VALUE_LENGTH = 120;

/** The longest name of a field that a message repeats; keys of maps can have any length. */
const MAX_FIELD_LENGTH = 300;

/** The longest message, in characters: it becomes part of the status. */
const MAX_MESSAGE_LENGTH = 8_192;

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
    const value = details.value === undefined || mayHoldSecret(details.field) ? undefined : presentable(details.value);
    const field = shortened(details.field, MAX_FIELD_LENGTH);
    const subject = value === undefined ? field : `${field} = ${JSON.stringify(value)}`;
    super(shortened(`${subject} ${details.reason}; ${details.remedy}`, MAX_MESSAGE_LENGTH));
    this.name = 'SubmissionError';
    this.field = details.field;
    this.value = value;
    this.reason = details.reason;
    this.remedy = details.remedy;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** The longest beginning of a value that is searched for secrets, in characters. */
const MAX_SEARCHED = 8 * MAX_VALUE_LENGTH;

/** Returns the value without secrets, cut to what a message can hold. */
function presentable(value: string): string {
  const clean = withoutSecrets(value, MAX_SEARCHED);
  return shortened(clean, MAX_VALUE_LENGTH);
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${beginningOf(text, length)}…`;
}
