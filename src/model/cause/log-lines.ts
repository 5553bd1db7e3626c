import { endOf } from '../../text/shorten';

/** Maximum length of the end of a log that is searched, in characters. */
const MAX_LOG = 512 * 1024;

/** Maximum length of a line, in characters; the rest of a longer line is not searched. */
const MAX_LINE = 4_000;

/**
 * Bytes of the end of a log that the kubelet writes into a container's status. A text of this size
 * can begin in the middle of a line.
 */
const KUBELET_TAIL = 2_048;

/** Replaced characters at the beginning can make the text of the kubelet a few bytes shorter. */
const MARGIN = 16;

/** Whether a text might be the end of a longer log, as the kubelet cuts it. */
export function isLikelyCut(log: string): boolean {
  return Buffer.byteLength(log) >= KUBELET_TAIL - MARGIN;
}

/** Colours and other sequences for terminals. */
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b\[[\d;?]{0,20}[A-Za-z]/g;

/**
 * Returns the lines of the end of a log, without colours and without progress bars.
 *
 * @param isCut whether the first line might be incomplete; it is then removed
 */
export function linesOf(log: string, isCut: boolean): string[] {
  const end = endOf(log, MAX_LOG);
  const lines = end.split(/\r?\n|\r/).map((line) => line.slice(0, MAX_LINE).replace(ESCAPES, '').trimEnd());
  return isCut || end.length < log.length ? lines.slice(1) : lines;
}

/** Line that a logger has written. */
export interface LogRecord {
  readonly level: 'lower' | 'warn' | 'error';
  /** Text after the name of the logger. */
  readonly text: string;
}

/** Spark's pattern (`26/03/01 10:00:00 INFO A: …`), and others that begin with a time. */
const TIMED = new RegExp(
  '^[[(]?(?:\\d{2,4}[-/.]\\d\\d[-/.]\\d\\d[T ])?\\d\\d:\\d\\d:\\d\\d[^ ]{0,12} .{0,60}?'
  + '\\b(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\\b[\\]:]?(.*)$',
);

/** Python's default pattern, such as `ERROR:root:…`. */
const PYTHON = /^(DEBUG|INFO|WARNING|ERROR|CRITICAL):([\w.]{1,100}:.*)$/;

/** Structured log of Spark 4 and of PySpark: an object of JSON in each line. */
const JSON_RECORD = /^\{"ts": ?"/;

/** Returns the parts of a line that a logger has written. */
export function recordOf(line: string): LogRecord | undefined {
  if (JSON_RECORD.test(line)) {
    const level = /"level": ?"([A-Z]{4,8})"/.exec(line)?.[1] ?? '';
    const text = /"msg": ?"((?:[^"\\]|\\.){0,1000})/.exec(line)?.[1] ?? '';
    return { level: levelOf(level), text: text.replace(/\\[nt]/g, ' ').replace(/\\(.)/g, '$1') };
  }
  const [, level, rest] = TIMED.exec(line) ?? PYTHON.exec(line) ?? [];
  if (level === undefined) return undefined;
  const text = rest!.trim().replace(/^(?:\[[^\]]{0,100}\] ?)?[\w.$-]{1,200}(?::| -) ?/, '');
  return { level: levelOf(level), text };
}

function levelOf(level: string): LogRecord['level'] {
  return /ERROR|FATAL|CRITICAL/.test(level) ? 'error' : /WARN/.test(level) ? 'warn' : 'lower';
}
