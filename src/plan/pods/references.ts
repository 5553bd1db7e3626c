import type { EnvVar } from '../../k8s';

/**
 * Finds the variables to which another one refers as `$(NAME)`, escaped or not. It reads the text
 * once, whatever the number of names.
 */
export class References {
  private readonly names: ReadonlySet<string>;
  private readonly lengths: ReadonlySet<number>;
  /** Lengths of names that contain a bracket, and so do not end at the first bracket. */
  private readonly lengthsWithBracket: readonly number[];

  constructor(names: Iterable<string>) {
    // In a template, every field can be missing.
    this.names = new Set([...names].filter(name => typeof name === 'string'));
    this.lengths = new Set([...this.names].map(name => name.length));
    this.lengthsWithBracket = [...new Set([...this.names].filter(name => name.includes(')')).map(name => name.length))];
  }

  /** Returns the names to which a variable refers. */
  public of({ value }: Pick<EnvVar, 'value'>): ReadonlySet<string> {
    const found = new Set<string>();
    let end = -1;
    for (let begin = value?.indexOf('$(') ?? -1; begin >= 0; begin = value!.indexOf('$(', begin + 1)) {
      end = end < begin ? value!.indexOf(')', begin) : end;
      if (end < 0) {
        break;
      }
      for (const length of [end - begin - 2, ...this.lengthsWithBracket]) {
        if (this.lengths.has(length) && value![begin + 2 + length] === ')') {
          const name = value!.slice(begin + 2, begin + 2 + length);
          if (this.names.has(name)) {
            found.add(name);
          }
        }
      }
    }
    return found;
  }
}
