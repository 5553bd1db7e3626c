import { widthOf } from './colours';

/** Blanks before the further lines of a message, beyond those of its first line. */
const HANGING = 2;

/**
 * Breaks a message into lines of at most `columns` columns, between words. A command to copy stays
 * whole: one in backquotes, or one after `To do:`. Its line can be longer.
 *
 * @param text lines; those that fit stay unchanged
 * @param columns width of the terminal @default - unlimited
 */
export function wrappedMessage(text: string, columns = Infinity): string {
  return text.split('\n').map((line) => (widthOf(line) <= columns ? line : wrappedLine(line, columns))).join('\n');
}

/** Breaks a text into lines of at most `width` columns. A command in backquotes stays whole. */
export function wrappedText(text: string, width: number): string[] {
  return joined(wordsOf(text), width);
}

/** Returns the lines of a remedy: a command stays in one line, to be copied. */
export function remedyLines(remedy: string, width: number): string[] {
  return COMMAND.test(remedy) ? [remedy] : wrappedText(remedy, width);
}

/** Beginning of a line with a remedy. */
const TO_DO = 'To do: ';

const COMMAND = /^(?:kubectl|sparkctl|helm) /;

function wrappedLine(line: string, columns: number): string {
  const [, indent = '', text = ''] = /^( *)([^]*)$/.exec(line) ?? [];
  if (text.startsWith(TO_DO) && COMMAND.test(text.slice(TO_DO.length))) return line;
  const further = `\n${indent}${' '.repeat(HANGING)}`;
  const width = Math.max(columns - indent.length, 1);
  return indent + joined(wordsOf(text), width, width - HANGING).join(further);
}

/** Splits a text into words with the blanks before them. */
function wordsOf(text: string): readonly string[] {
  return text.match(/ *(?:`[^`]*`|[^ ])+/g) ?? [text];
}

/**
 * Joins words to lines; longer words have a line of their own.
 *
 * @param width maximum width of the first line
 * @param further maximum width of further lines
 */
function joined(words: readonly string[], width: number, further = width): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const limit = lines.length > 1 ? further : width;
    if (line === undefined || widthOf(line) + widthOf(word) > limit) lines.push(word.trimStart());
    else lines[lines.length - 1] = line + word;
  }
  return lines;
}
