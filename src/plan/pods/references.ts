import type { EnvVar } from '../../k8s';

/**
 * Finds which of some variables another one refers to as `$(NAME)`, whoever escaped it: one look through the text, however many names there are.
 */
export class References {
  private readonly names: ReadonlySet<string>;
  private readonly lengths: ReadonlySet<number>;
  /** Of names with a bracket in them, whose end is not the first bracket after their beginning. */
  private readonly lengthsWithBracket: readonly number[];

  constructor(names: Iterable<string>) {
    // In a template anything can be missing.
    this.names = new Set([...names].filter(name => typeof name === 'string'));
    this.lengths = new Set([...this.names].map(name => name.length));
    this.lengthsWithBracket = [...new Set([...this.names].filter(name => name.includes(')')).map(name => name.length))];
  }

  /** The names that a variable refers to. */
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
