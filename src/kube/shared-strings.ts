/** As many as the objects of one page of a list have in common with their neighbours, and some more. */
const MOST = 4_096;

/**
 * Makes one string of equal ones. Whatever is parsed of JSON has a copy of its own of each string, such as of the name of the application that all of its executors have; kept for tens of thousands of
 * objects, the copies take more memory than all that differs. It remembers only the strings that came last: objects that have much in common are told one after the other.
 */
export class SharedStrings {
  private readonly strings = new Map<string, string>();

  /** @param most how many strings are remembered */
  constructor(private readonly most = MOST) {}

  /** @returns an equal string, the same as before if it is remembered */
  share(text: string): string {
    const known = this.strings.get(text);
    if (known !== undefined) return known;
    if (this.strings.size >= this.most) this.strings.delete(this.strings.keys().next().value!);
    this.strings.set(text, text);
    return text;
  }
}
