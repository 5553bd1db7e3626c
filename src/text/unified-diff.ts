/** Unchanged lines around each change, as `diff -u` prints them. */
const CONTEXT = 3;

/**
 * Maximum number of pairs of lines to compare. Larger texts that differ in the middle are shown as
 * replaced.
 */
const MAX_PAIRS = 4_000_000;

/** Line of a comparison: in both texts, only in the old one, or only in the new one. */
interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * Returns the lines of a unified diff of two texts, without the headers that name them; an empty
 * list if they are equal.
 */
export function unifiedDiff(before: string, after: string): string[] {
  const all = compare(linesOf(before), linesOf(after));
  const changed = all.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]));
  const hunks: [from: number, to: number][] = [];
  for (const index of changed) {
    const last = hunks.at(-1);
    if (last && index - CONTEXT <= last[1]) last[1] = Math.min(all.length, index + CONTEXT + 1);
    else hunks.push([Math.max(0, index - CONTEXT), Math.min(all.length, index + CONTEXT + 1)]);
  }
  return hunks.flatMap(([from, to]) => [
    `@@ -${rangeOf(all, from, to, '+')} +${rangeOf(all, from, to, '-')} @@`,
    ...all.slice(from, to).map(({ mark, text }) => `${mark}${text}`),
  ]);
}

/**
 * Returns the first line and the number of lines of a hunk in one text.
 *
 * @param other mark of lines that only the other text has
 */
function rangeOf(all: readonly DiffLine[], from: number, to: number, other: '+' | '-'): string {
  const count = (begin: number, end: number) => all.slice(begin, end).filter(({ mark }) => mark !== other).length;
  const length = count(from, to);
  const first = count(0, from) + (length === 0 ? 0 : 1);
  return length === 1 ? String(first) : `${first},${length}`;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function compare(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const same = (text: string): DiffLine => ({ mark: ' ', text });
  return [
    ...before.slice(0, head).map(same),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

/** Compares by a longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const width = after.length + 1;
  if (before.length * after.length > MAX_PAIRS) {
    return [...before.map((text): DiffLine => ({ mark: '-', text })), ...after.map((text): DiffLine => ({ mark: '+', text }))];
  }
  // common[i * width + j]: length of the longest common subsequence from line i and line j on.
  const common = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] = before[i] === after[j]
        ? common[(i + 1) * width + j + 1]! + 1
        : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ mark: ' ', text: before[i]! });
      [i, j] = [i + 1, j + 1];
    } else if (j === after.length || (i < before.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      lines.push({ mark: '-', text: before[i++]! });
    } else {
      lines.push({ mark: '+', text: after[j++]! });
    }
  }
  return lines;
}
