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
  const [first] = known.map((name) => ({ name, distance: editDistance(unknown.toLowerCase(), name.toLowerCase()) })).sort((a, b) => a.distance - b.distance);
  return first && first.distance <= Math.max(1, unknown.length / 3) ? first.name : undefined;
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
