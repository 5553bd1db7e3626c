import { shortened } from '../../text/shorten';
import type { Violation } from '../../rules/validate';
import { violationText } from '../../model/violation-text';
import { SubmissionError } from '../errors';
import type { AdmissionAnswer } from '../../operator/admission/review';

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

/** What of that is about how long an ended application stays: all that an edit can do that runs nothing. */
export function ofTimeToLive({ mistakes }: Findings): Findings {
  return { mistakes: mistakes.filter(({ field }) => field === 'spec.timeToLiveSeconds'), warnings: [] };
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

/** A message longer than this, in characters, is cut; one mistake may be as long as that, too. */
const MAX_LENGTH = 2_000;
/** Of one mistake among several. */
const MAX_SENTENCE = 700;
/** kubectl prints a line for each warning, and the API server keeps 4,096 characters of all. */
const [MAX_WARNINGS, MAX_WARNING] = [12, 256];

/** The answer: taken, if nothing is wrong. */
export function answerTo({ mistakes, warnings }: Findings): AdmissionAnswer {
  const told = warnings.length === 0 ? {} : { warnings: shownWarnings(warnings) };
  if (mistakes.length === 0) return { allowed: true, ...told };
  // What the object is like, as the API server's own validation says it.
  return { allowed: false, code: 422, message: messageOf(mistakes.map(({ text }) => text)), ...told };
}

/** All that is wrong, one line each, as far as there is room. */
export function messageOf(sentences: readonly string[], what = 'mistakes'): string {
  const distinct = [...new Set(sentences)];
  if (distinct.length === 1) return cut(distinct[0]!, MAX_LENGTH);
  const lines = distinct.map((sentence) => `\n  ${cut(sentence, MAX_SENTENCE)}`);
  const head = `there are ${distinct.length} ${what}:`;
  let length = head.length + 20;
  const shown = lines.filter((line) => (length += line.length) <= MAX_LENGTH);
  const more = lines.length - shown.length;
  return `${head}${shown.join('')}${more > 0 ? `\n  and ${more} more` : ''}`;
}

function shownWarnings(warnings: readonly string[]): string[] {
  const distinct = [...new Set(warnings)].map((warning) => cut(warning, MAX_WARNING));
  const more = distinct.length - MAX_WARNINGS;
  return more > 0 ? [...distinct.slice(0, MAX_WARNINGS), `and ${more} more`] : distinct;
}

function cut(text: string, length: number): string {
  return shortened(printable(text), length);
}

/** Names of properties can hold anything, also what moves the cursor of a terminal or begins another line. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
