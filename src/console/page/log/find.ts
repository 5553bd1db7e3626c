import { logTimeText } from '../format';
import type { Level } from './levels';
import type { LogLine } from './log-lines';

/** Returns the lines with one of the levels; all lines without levels. */
export function ofLevels(lines: readonly LogLine[], levels: ReadonlySet<Level>): readonly LogLine[] {
  return levels.size === 0 ? lines : lines.filter(({ level }) => levels.has(level));
}

/** Counts entries by level: a stack trace is part of its error. */
export function countLevels(lines: readonly LogLine[]): Readonly<Record<Level, number>> {
  const counts: Record<Level, number> = { ERROR: 0, WARN: 0, INFO: 0, OUTPUT: 0 };
  for (const { level, begins } of lines) if (begins) counts[level]++;
  return counts;
}

/** Counts lines; successive parts of a long one are one. */
export function countLines(lines: readonly LogLine[]): number {
  return lines.filter((line, index) => !isNextPart(line, lines[index - 1])).length;
}

/** Returns lines as text, with their times if wanted; the parts of a long one are joined. */
export function textOf(lines: readonly LogLine[], hasTimes: boolean): string {
  return lines.map((line, index) => {
    if (isNextPart(line, lines[index - 1])) return line.text;
    return `${index === 0 ? '' : '\n'}${hasTimes ? logTimeText(line.time) : ''}${line.text}`;
  }).join('');
}

/**
 * Whether a log begins earlier than the lines that were read of it: some were dropped, or so many
 * were there when it was opened.
 *
 * @param tail number of lines from its end that were read first
 * @param openedAt milliseconds since 1970
 */
export function beginsEarlier(lines: readonly LogLine[], tail: number, openedAt: number): boolean {
  if (lines.length > 0 && lines[0]!.row > 0) return true;
  const last = lines.filter(({ isRest }) => !isRest)[tail - 1];
  return last?.time !== undefined && Date.parse(last.time) < openedAt;
}

function isNextPart({ row, isRest }: LogLine, before: LogLine | undefined): boolean {
  return isRest === true && before?.row === row - 1;
}

/**
 * Returns the lines with a text, in any case, each by the index of the part in which the text
 * begins; none for an empty text.
 */
export function matchesOf(lines: readonly LogLine[], word: string): number[] {
  if (word === '') return [];
  const wanted = word.toLowerCase();
  const found: number[] = [];
  for (let begin = 0, end = 0; begin < lines.length; begin = end) {
    end = endOfLine(lines, begin);
    const text = end === begin + 1 ? lines[begin]!.text : lines.slice(begin, end).map((part) => part.text).join('');
    let at = text.toLowerCase().indexOf(wanted);
    if (at < 0) continue;
    let part = begin;
    while (part < end - 1 && at >= lines[part]!.text.length) at -= lines[part++]!.text.length;
    found.push(part);
  }
  return found;
}

/** Returns the matching lines alone, with all of their parts. @param matches as of `matchesOf` */
export function onlyMatching(lines: readonly LogLine[], matches: readonly number[]) {
  const shown: LogLine[] = [];
  return {
    matches: matches.map((match) => {
      let begin = match;
      while (isNextPart(lines[begin]!, lines[begin - 1])) begin--;
      const index = shown.length + match - begin;
      shown.push(...lines.slice(begin, endOfLine(lines, match)));
      return index;
    }),
    shown,
  };
}

/** Returns the index after the last part of a line. */
function endOfLine(lines: readonly LogLine[], index: number): number {
  let end = index + 1;
  while (end < lines.length && isNextPart(lines[end]!, lines[end - 1])) end++;
  return end;
}

/** Splits a text into parts that match and others, for highlighting. */
export function partsOf(text: string, word: string): readonly { readonly text: string; readonly isMatch: boolean }[] {
  if (word === '') return [{ text, isMatch: false }];
  const [lower, wanted] = [text.toLowerCase(), word.toLowerCase()];
  // A text whose lower case has another length cannot be split by its positions.
  if (lower.length !== text.length) return [{ text, isMatch: false }];
  const parts: { text: string; isMatch: boolean }[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), isMatch: false });
    from = at + wanted.length;
    parts.push({ text: text.slice(at, from), isMatch: true });
  }
  if (from < text.length) parts.push({ text: text.slice(from), isMatch: false });
  return parts;
}

/** Minimum length of a cause's text to search for: a shorter one is on many lines. */
const MIN_CAUSE = 8;

/**
 * Returns the index of the line that explains a failure: the last one with the text of the cause,
 * or else the beginning of the last error.
 *
 * @param cause one-line cause, such as `AnalysisException: no column x (main.py:5)`
 * @param before index of a line; only earlier errors are searched @default - all lines
 */
export function errorLine(lines: readonly LogLine[], cause: string | undefined, before = lines.length): number | undefined {
  const earlier = lines.slice(0, before);
  for (const text of before === lines.length ? causeTexts(cause) : []) {
    const found = earlier.findLastIndex((line) => line.text.includes(text));
    if (found >= 0) return found;
  }
  const found = earlier.findLastIndex(({ level, begins }) => level === 'ERROR' && begins);
  return found < 0 ? undefined : found;
}

/** Returns parts of a cause that its line in the log might contain, the longest first. */
function causeTexts(cause: string | undefined): string[] {
  // The position in the user's program comes from another line.
  const text = (cause ?? '').split('\n', 1)[0]!.replace(/ \([^()]+:\d+\)$/, '').replace(/…$/, '');
  const colon = text.indexOf(': ');
  return [text, ...(colon < 0 ? [] : [text.slice(colon + 2), text.slice(0, colon + 1)])].filter(({ length }) => length >= MIN_CAUSE);
}
