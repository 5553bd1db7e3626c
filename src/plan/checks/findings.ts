import { problemText, type Problem } from '../../model/problem';
import { SubmissionError } from '../errors';

/** Something that is wrong, as a sentence for users: where, what, why, what to write instead. It holds no secrets. */
export interface Mistake {
  /** The field, such as `spec.driver.memory` or `spec.sparkConf[spark.master]`. */
  readonly field: string;
  readonly text: string;
}

/** Result of a check. */
export interface Findings {
  readonly mistakes: readonly Mistake[];
  /** Values that have no effect. */
  readonly warnings: readonly string[];
}

/** Returns the mistake of a problem. */
export function mistakeOf(violation: Problem): Mistake {
  return { field: violation.path, text: problemText(violation) };
}

/** Returns the mistake of an error of a submission. */
export function mistakeOfError({ field, message }: SubmissionError): Mistake {
  return { field, text: message };
}

/** Returns the submission error that a function throws, if any. Other errors are thrown on. */
export function refusalOf(attempt: () => void): SubmissionError[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (SubmissionError.is(error)) return [error];
    throw error;
  }
}

/** Renames a field of one specification to the field of the object that contains it. */
export type Renaming = (field: string) => string;

/** Returns the error with its fields renamed. The user's values stay as they are. */
export function errorElsewhere(rename: Renaming): (error: SubmissionError) => SubmissionError {
  return ({ field, value, reason, remedy }) => new SubmissionError({ field: rename(field), value, reason: rename(reason), remedy: rename(remedy) });
}

/** Mistakes without those that say again what others say: the same, or of the same field, or of one that has the other in it. */
export function withoutRepetition(first: readonly Mistake[], others: readonly Mistake[]): Mistake[] {
  const isSaid = ({ field, text }: Mistake) => first.some((known) => known.text === text || isAbout(known.field, field) || isAbout(field, known.field));
  return [...first, ...others.filter((mistake) => !isSaid(mistake))];
}

/** Whether a field is another one, or inside of it. */
function isAbout(field: string, other: string): boolean {
  return field === other || field.startsWith(`${other}.`) || field.startsWith(`${other}[`);
}
