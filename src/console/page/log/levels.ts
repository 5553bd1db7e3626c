/** Level of a log line. OUTPUT: what the program prints, without a level. */
export type Level = 'ERROR' | 'WARN' | 'INFO' | 'OUTPUT';

/** Levels in the order of the filter. */
export const LEVELS: readonly Level[] = ['ERROR', 'WARN', 'INFO', 'OUTPUT'];

const LEVEL_OF_WORD: Readonly<Record<string, Level>> = {
  TRACE: 'INFO', DEBUG: 'INFO', INFO: 'INFO', WARN: 'WARN', WARNING: 'WARN', ERROR: 'ERROR', FATAL: 'ERROR', SEVERE: 'ERROR',
  CRITICAL: 'ERROR',
};

const WORDS = Object.keys(LEVEL_OF_WORD).join('|');

/**
 * Level at the beginning of a line or after its time: `26/03/01 10:00:00 ERROR …` of Spark,
 * `ERROR:root:…` and `2026-03-01 10:00:00,123 - root - ERROR - …` of Python.
 */
const PLAIN = new RegExp(`^(?:\\[?\\d{2,4}[-/.]\\d{2}.{0,70}?[\\s\\[])?\\[?(${WORDS})[\\]:\\s]`);

/** Level of a line of Spark's structured log. */
const STRUCTURED = new RegExp(`^\\{.{0,200}?"level"\\s*:\\s*"(${WORDS})"`);

/** Line that begins an error without a level. */
const BEGINS_ERROR = /^(?:Traceback \(most recent call last\)|Exception in thread |Error in |Error: \S|python[\d.]*: can't open file )/;

/** Further line of an error: its cause, or the exception after a traceback. */
const CONTINUES_ERROR = /^(?:Caused by: |During handling of the above|The above exception was|(?:: )?[\w.$]+(?:Exception|Error)\b)/;

/** Frame, message or blank line that belongs to the previous line. */
const CONTINUES = /^(?:\s|$)/;

/** Finds the level of each line of a log; frames of a stack trace have that of their error. */
export class LevelReader {
  private level: Level = 'OUTPUT';

  /** Returns the level of the next line, and whether it begins an error. */
  next(line: string): { readonly level: Level; readonly isError: boolean } {
    const word = (PLAIN.exec(line) ?? STRUCTURED.exec(line))?.[1];
    const before = this.level;
    if (word !== undefined) this.level = LEVEL_OF_WORD[word]!;
    else if (BEGINS_ERROR.test(line)) this.level = 'ERROR';
    else if (CONTINUES_ERROR.test(line)) this.level = before === 'OUTPUT' ? 'ERROR' : before;
    else if (!CONTINUES.test(line)) this.level = 'OUTPUT';
    const begins = word === undefined ? BEGINS_ERROR.test(line) || (CONTINUES_ERROR.test(line) && before !== 'ERROR') : true;
    return { level: this.level, isError: this.level === 'ERROR' && begins };
  }
}
