/* eslint-disable no-bitwise -- letters are kept as bits */

/** Maximum number of names to list. */
const MAX_NAMES = 12;

/**
 * Maximum length in characters of a word to compare: longer ones are no typos, and the comparison
 * takes quadratic time.
 */
const MAX_LENGTH = 64;

/**
 * Returns what to write instead of an unknown field, as the rest of a sentence: the most similar
 * field, else all fields if they are few.
 * @internal
 */
export function knownFields(unknown: string, known: readonly string[]): string {
  const similar = nearest(unknown, known);
  if (similar !== undefined) return `did you mean ${similar}?`;
  return known.length <= MAX_NAMES ? `known are ${known.join(', ')}` : 'see the reference of the fields';
}

/** Returns the most similar name; undefined if none is similar. @internal */
export function nearest(unknown: string, known: readonly string[]): string | undefined {
  if (unknown.length > MAX_LENGTH) return undefined;
  const word = unknown.toLowerCase();
  const letters = lettersOf(word);
  let found: string | undefined;
  // An object can have tens of thousands of unknown names, so length and letters rule out most
  // known names first.
  let limit = Math.floor(Math.max(1, unknown.length / 3));
  for (const { name, word: other, letters: others } of wordsOf(known)) {
    if (Math.abs(other.length - word.length) > limit || bitsOf(letters & ~others) > limit || bitsOf(others & ~letters) > limit) continue;
    const distance = editDistance(word, other);
    if (distance > limit) continue;
    found = name;
    // Of equally similar names the first one applies.
    limit = distance - 1;
  }
  return found;
}

/** Returns the set of a word's letters as bits; some letters share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters;
}

interface Word {
  readonly name: string;
  readonly word: string;
  readonly letters: number;
}

/** Cached by list, as the fields of a kind are compared repeatedly. */
const WORDS = new WeakMap<readonly string[], readonly Word[]>();

function wordsOf(known: readonly string[]): readonly Word[] {
  const words = WORDS.get(known) ?? known.map((name) => ({ name, word: name.toLowerCase(), letters: lettersOf(name.toLowerCase()) }));
  WORDS.set(known, words);
  return words;
}

/** Returns the number of bits that are set: each letter in only one of two words needs an edit. */
function bitsOf(number: number): number {
  let count = 0;
  for (let rest = number; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/**
 * Returns the number of letters to change, add or remove, or of neighbours to swap, to get from one
 * word to another (Damerau-Levenshtein, each part edited once).
 */
function editDistance(a: string, b: string): number {
  let previous: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(Math.min(
        next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), isSwap ? previous[j - 2]! + 1 : Infinity,
      ));
    }
    previous = row;
    row = next;
  }
  return row[b.length]!;
}
