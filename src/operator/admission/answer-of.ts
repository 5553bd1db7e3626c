import type { AdmissionAnswer } from './review';
import { isError, problemText, type Problem } from '../../model/problem';
import { MAX_PROBLEMS } from '../../plan/problems';
import { shortened } from '../../text/shorten';

/** Returns the errors of the time to live. An edit that runs nothing can be wrong only there. */
export function ofTimeToLive(problems: readonly Problem[], field = 'spec.timeToLiveSeconds'): Problem[] {
  return problems.filter((problem) => isError(problem) && problem.path === field);
}

/** Maximum length of a message, in characters. A single mistake can fill it. */
const MAX_LENGTH = 2_000;
/** Maximum length of one mistake among several, in characters. */
const MAX_SENTENCE = 700;
/**
 * kubectl prints a line for each warning. The API server keeps 4,096 characters of all warnings.
 */
const [MAX_WARNINGS, MAX_WARNING] = [12, 256];

/** Returns the answer, which accepts the object if there are no errors. */
export function answerTo(problems: readonly Problem[], moreWarnings: readonly string[] = []): AdmissionAnswer {
  const errors = problems.filter(isError);
  const warnings = [...problems.filter((problem) => !errors.includes(problem)).map(problemText), ...moreWarnings];
  const shown = warnings.length === 0 ? {} : { warnings: shownWarnings(warnings) };
  if (errors.length === 0) return { allowed: true, ...shown };
  // The API server's own validation uses the same status.
  return { allowed: false, code: 422, message: messageOf(errors.map(problemText)), ...shown };
}

/** Returns the answer for an object for which quotas have no room, as that of Kubernetes. */
export function answerToQuotas(problems: readonly Problem[]): AdmissionAnswer {
  return { allowed: false, code: 403, message: messageOf(problems.map(problemText), 'reasons') };
}

/** Lists the sentences, one a line, up to the maximum length of a message. */
function messageOf(sentences: readonly string[], what = 'mistakes'): string {
  const distinct = [...new Set(sentences)];
  if (distinct.length === 1) return cut(distinct[0]!, MAX_LENGTH);
  const lines = distinct.map((sentence) => `\n  ${cut(sentence, MAX_SENTENCE)}`);
  const all = distinct.length < MAX_PROBLEMS;
  const head = `there are ${all ? distinct.length : 'many'} ${what}:`;
  let length = head.length + 20;
  const shown = lines.filter((line) => (length += line.length) <= MAX_LENGTH);
  const more = lines.length - shown.length;
  return `${head}${shown.join('')}${more > 0 ? `\n  and ${all ? `${more} ` : ''}more` : ''}`;
}

function shownWarnings(warnings: readonly string[]): string[] {
  const distinct = [...new Set(warnings)].map((warning) => cut(warning, MAX_WARNING));
  const more = distinct.length - MAX_WARNINGS;
  return more > 0 ? [...distinct.slice(0, MAX_WARNINGS), `and ${more} more`] : distinct;
}

function cut(text: string, length: number): string {
  return shortened(printable(text), length);
}

/**
 * Escapes control characters. A property name can contain characters that move the cursor of a
 * terminal or start another line.
 */
function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
