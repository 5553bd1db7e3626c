/** Steps that comparisons can take all together; some take as many as the product of two lengths. */
export class GlobBudget {
  constructor(private left = 2_000_000) {}

  /** Whether there were too few: comparisons since then have found nothing. */
  get isSpent(): boolean {
    return this.left <= 0;
  }

  /** Takes a step. @returns whether there was one left */
  step(): boolean {
    return this.left-- > 0;
  }
}

/**
 * Whether a text is one of those that a glob stands for: `*` is any number of any characters, `?` is one. A glob without them is the text
 * itself. Once the budget is spent, no text is.
 */
export function matchesGlob(glob: string, text: string, budget: GlobBudget): boolean {
  return SURROGATE.test(text) ? matches([...glob], [...text], budget) : matches(glob, text, budget);
}

/** Half of a character: as a whole it is one, as the API server compares it. */
const SURROGATE = /[\ud800-\udfff]/;

function matches(glob: ArrayLike<string>, text: ArrayLike<string>, budget: GlobBudget): boolean {
  let [at, position] = [0, 0];
  let star = -1;
  let starPosition = 0;
  while (position < text.length) {
    if (!budget.step()) return false;
    if (glob[at] === '*') {
      [star, starPosition] = [at++, position];
    } else if (at < glob.length && (glob[at] === '?' || glob[at] === text[position])) {
      at++;
      position++;
    } else if (star >= 0) {
      // The last star takes one character more.
      [at, position] = [star + 1, ++starPosition];
    } else {
      return false;
    }
  }
  while (glob[at] === '*') at++;
  return at === glob.length;
}
