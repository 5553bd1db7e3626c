/** Level of a log line. OUTPUT: lines of the program, which have no level. */
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

/** Line within the stack trace of an error whose message has several lines. */
const IN_TRACE = /^(?:Driver stacktrace:|JVM stacktrace:|Caused by: |\s+at \S+\()/;

/** Line of an error after which its own traceback, or that of its cause, follows. */
const BEFORE_TRACEBACK = /^(?:During handling of the above|The above exception was)|\bAn exception was thrown from /;

/** Error of Python's `logging`: a traceback on the next line is that of its exception. */
const PYTHON_ERROR = /^(?:(?:ERROR|CRITICAL):|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\b.{0,70}\b(?:ERROR|CRITICAL)\b)/;

/** Maximum number of lines of a message before its stack trace. */
const MAX_MESSAGE = 100;

/** Place of a line among the entries of a log. */
export interface LineLevel {
  readonly level: Level;
  /** Whether it begins an entry; without a level each line does. */
  readonly begins: boolean;
  /** Whether the previous lines without a level belong to the message of the same error. */
  readonly joins?: true;
}

/** Finds the level of each line of a log; frames of a stack trace have that of their error. */
export class LevelReader {
  private level: Level = 'OUTPUT';
  /** Whether a traceback would belong to the current error. */
  private expectsTraceback = false;
  /** Level of the latest error, while lines without a level might be part of its message. */
  private interrupted?: Level;
  /** Number of these lines. */
  private lines = 0;

  /** Returns the level of the next line. */
  next(line: string): LineLevel {
    const word = (PLAIN.exec(line) ?? STRUCTURED.exec(line))?.[1];
    if (word !== undefined) return this.entry(line, LEVEL_OF_WORD[word]!, true);
    if (BEGINS_ERROR.test(line)) return this.entry(line, 'ERROR', !this.expectsTraceback);
    const isOutput = this.level === 'OUTPUT';
    if (IN_TRACE.test(line) && (!isOutput || this.interrupted)) {
      return { ...this.entry(line, this.interrupted ?? this.level, false), ...(isOutput && { joins: true }) };
    }
    if (CONTINUES_ERROR.test(line)) return this.entry(line, isOutput ? 'ERROR' : this.level, isOutput);
    if (!isOutput && CONTINUES.test(line)) {
      this.expectsTraceback = BEFORE_TRACEBACK.test(line) || (this.expectsTraceback && line.trim() === '');
      return { level: this.level, begins: false };
    }
    return this.output();
  }

  /** Begins or continues an entry. */
  private entry(line: string, level: Level, begins: boolean): LineLevel {
    this.level = level;
    this.interrupted = undefined;
    this.expectsTraceback = BEFORE_TRACEBACK.test(line) || PYTHON_ERROR.test(line);
    return { level, begins };
  }

  private output(): LineLevel {
    if (this.level === 'ERROR' || this.level === 'WARN') [this.interrupted, this.lines] = [this.level, 0];
    if (++this.lines > MAX_MESSAGE) this.interrupted = undefined;
    this.level = 'OUTPUT';
    this.expectsTraceback = false;
    return { level: 'OUTPUT', begins: true };
  }
}
