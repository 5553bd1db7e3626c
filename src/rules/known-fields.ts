/* eslint-disable no-bitwise -- letters are kept as bits */

/** More names than these say nothing to anybody. */
const MAX_NAMES = 12;

/** The length, in characters, above which a word is no slip of the pen; comparing takes as many steps as its square. */
const MAX_LENGTH = 64;

/**
 * What to write instead of a field that there is not, as the rest of a sentence: the most similar one, else all if they are few.
 * @internal
 */
export function knownFields(unknown: string, known: readonly string[]): string {
  const similar = nearest(unknown, known);
  if (similar !== undefined) return `did you mean ${similar}?`;
  return known.length <= MAX_NAMES ? `known are ${known.join(', ')}` : 'see the reference of the fields';
}

/**
 * The name that was probably meant; undefined if there is none that is similar.
 * @internal
 */
export function nearest(unknown: string, known: readonly string[]): string | undefined {
  if (unknown.length > MAX_LENGTH) return undefined;
  const word = unknown.toLowerCase();
  const letters = lettersOf(word);
  let found: string | undefined;
  // An object can have tens of thousands of such names: most of what is known is ruled out by its length and letters.
  let limit = Math.floor(Math.max(1, unknown.length / 3));
  for (const { name, word: other, letters: others } of wordsOf(known)) {
    if (other.length - word.length > limit || word.length - other.length > limit || bitsOf(letters & ~others) > limit || bitsOf(others & ~letters) > limit) continue;
    const distance = editDistance(word, other);
    if (distance > limit) continue;
    found = name;
    // Of those that are as similar the first one is meant.
    limit = distance - 1;
  }
  return found;
}

/** Which letters a word has, a bit for each; some share one. */
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

/** By list, as the fields of a kind are compared again and again. */
const WORDS = new WeakMap<readonly string[], readonly Word[]>();

function wordsOf(known: readonly string[]): readonly Word[] {
  const words = WORDS.get(known) ?? known.map((name) => ({ name, word: name.toLowerCase(), letters: lettersOf(name.toLowerCase()) }));
  WORDS.set(known, words);
  return words;
}

/** Each letter that only one of two words has takes a step. */
function bitsOf(number: number): number {
  let count = 0;
  for (let rest = number; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** How many letters have to be changed, added or removed to get from one word to another (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
