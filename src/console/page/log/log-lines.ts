import { logLine } from '../format';
import { LevelReader, type Level, type LineLevel } from './levels';

/** Line of a log. */
export interface LogLine {
  readonly text: string;
  /** Time at which it was written (RFC 3339). @default - unknown */
  readonly time?: string;
  readonly level: Level;
  /** Whether the line begins an entry, as opposed to a frame of a stack trace. */
  readonly begins: boolean;
  /** Number of the row of the page, from the start of the log. */
  readonly row: number;
  /** Whether the row before has the previous part of the same line, which is too long for one. */
  readonly isRest?: true;
}

/** Maximum number of kept lines; the oldest are dropped. */
const MAX_LINES = 50_000;

/** Maximum length of a line, in characters; longer ones are split into parts. */
const MAX_LENGTH = 4_000;

/** Time before a line, as the kubelet writes it. */
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d) /;

/** Splits arriving text with times into lines. */
export class LogLines {
  private complete: LogLine[] = [];
  private rest = '';
  private readonly levels = new LevelReader();
  private rows = 0;
  /** Last part of a line that has not ended. */
  private open?: LogLine;

  push(text: string): void {
    const parts = (this.rest + text).split('\n');
    this.rest = parts.pop()!;
    for (const part of parts) {
      this.add(part);
      this.open = undefined;
    }
    while (this.rest.length > MAX_LENGTH) {
      this.open = this.add(this.rest.slice(0, MAX_LENGTH));
      this.rest = this.rest.slice(MAX_LENGTH);
    }
    if (this.complete.length > MAX_LINES * 1.1) this.complete = this.complete.slice(-MAX_LINES);
  }

  /** Returns all lines, with the incomplete last one. */
  lines(): readonly LogLine[] {
    if (this.rest === '') return [...this.complete];
    if (this.open) return [...this.complete, { ...this.open, text: logLine(this.rest), begins: false, row: this.rows, isRest: true }];
    const { time, text } = splitStamp(this.rest);
    return [...this.complete, { text: logLine(text), ...(time !== undefined && { time }), level: 'OUTPUT', begins: true, row: this.rows }];
  }

  /** Adds a line, or the rest of an open one; returns its last part. */
  private add(line: string): LogLine {
    let last = this.open;
    const { time, text } = last ? { time: last.time, text: line } : splitStamp(line);
    const { level, begins, joins }: LineLevel = last ?? this.levels.next(text);
    if (joins) this.joinOutput(level);
    for (let start = 0; start === 0 || start < text.length; start += MAX_LENGTH) {
      last = {
        text: logLine(text.slice(start, start + MAX_LENGTH)), ...(time !== undefined && { time }), level, begins: begins && !last,
        row: this.rows++, ...(last && { isRest: true }),
      };
      this.complete.push(last);
    }
    return last!;
  }

  /** Gives the last lines without a level that of the error to whose message they belong. */
  private joinOutput(level: Level): void {
    for (let index = this.complete.length - 1; this.complete[index]?.level === 'OUTPUT'; index--) {
      this.complete[index] = { ...this.complete[index]!, level, begins: false };
    }
  }
}

function splitStamp(line: string): { readonly time?: string; readonly text: string } {
  const stamp = STAMP.exec(line)?.[0];
  return stamp === undefined ? { text: line } : { time: stamp.trimEnd(), text: line.slice(stamp.length) };
}
