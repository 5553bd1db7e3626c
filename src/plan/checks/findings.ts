import type { Violation } from '../../model/problem';
import { violationText } from '../../model/violation-text';
import { SubmissionError } from '../errors';

/** Something that is wrong, as a sentence for users: where, what, why, what to write instead. It holds no secrets. */
export interface Mistake {
  /** The field, such as `spec.driver.memory` or `spec.sparkConf[spark.master]`. */
  readonly field: string;
  readonly text: string;
}

/** What a check has found. */
export interface Findings {
  readonly mistakes: readonly Mistake[];
  /** What is written without the effect that it seems to have. */
  readonly warnings: readonly string[];
}

/** What a violation says. Keys are written as errors of submissions write them. */
export function mistakeOf(violation: Violation): Mistake {
  return { field: violation.path.replace(/\["((?:[^"\\]|\\.)*)"\]/g, '[$1]'), text: violationText(violation) };
}

/** What an error of a submission says. */
export function mistakeOfError({ field, message }: SubmissionError): Mistake {
  return { field, text: message };
}

/** The mistakes that something is refused for, if it is; errors of other kinds go on. */
export function refusalOf(attempt: () => void): SubmissionError[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (SubmissionError.is(error)) return [error];
    throw error;
  }
}

/** A field of one specification is another one in the object that it stands in. */
export type Renaming = (field: string) => string;

/** The same error of an object in which the specification stands elsewhere. What the user wrote stays as it is. */
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
