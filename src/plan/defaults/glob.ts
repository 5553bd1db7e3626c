/** A budget of steps for all comparisons together; some take the product of two lengths. */
export class GlobBudget {
  constructor(private left = 2_000_000) {}

  /** Whether the budget is spent: comparisons since then have found nothing. */
  get isSpent(): boolean {
    return this.left <= 0;
  }

  /** Takes a step. @returns whether there was one left */
  step(): boolean {
    return this.left-- > 0;
  }
}

/**
 * Whether a text matches a glob: `*` is any number of any characters, `?` is one. A glob without
 * them matches only itself. Once the budget is spent, no text matches.
 */
export function matchesGlob(glob: string, text: string, budget: GlobBudget): boolean {
  let [at, position] = [0, 0];
  let star = -1;
  let starPosition = 0;
  while (position < text.length) {
    if (!budget.step()) return false;
    const wanted = glob.charCodeAt(at);
    if (wanted === STAR) {
      [star, starPosition] = [at++, position];
    } else if (wanted === ANY_ONE) {
      at++;
      position += widthAt(text, position);
    } else if (wanted === text.charCodeAt(position)) {
      at++;
      position++;
    } else if (star >= 0) {
      // The last star takes one more character.
      starPosition += widthAt(text, starPosition);
      [at, position] = [star + 1, starPosition];
    } else {
      return false;
    }
  }
  while (glob.charCodeAt(at) === STAR) at++;
  return at === glob.length;
}

const [STAR, ANY_ONE] = ['*', '?'].map((character) => character.charCodeAt(0));

/** Returns the UTF-16 code units of a character: the API server compares code points. */
function widthAt(text: string, position: number): number {
  return text.codePointAt(position)! > 0xffff ? 2 : 1;
}
