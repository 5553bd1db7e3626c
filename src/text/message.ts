import { widthOf } from './colours';
import { wrappedWords } from './wrapped';

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
  return wrappedWords(wordsOf(text), width);
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
  return indent + wrappedWords(wordsOf(text), width, width - HANGING).join(further);
}

/** Splits a text into words; what is in backquotes is one. */
function wordsOf(text: string): readonly string[] {
  return text.match(/(?:`[^`]*`|[^ ])+/g) ?? [];
}
