/**
 * Whether a text is one of those that a glob stands for: `*` is any number of any characters, `?` is one. A glob without them is the text
 * itself. Takes time in proportion to the product of the lengths at most.
 */
export function matchesGlob(glob: string, text: string): boolean {
  let [at, position] = [0, 0];
  let star = -1;
  let starPosition = 0;
  while (position < text.length) {
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
