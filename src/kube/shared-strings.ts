/** The longest string that is remembered, in characters: a longer one is hardly the same as another. */
const MAX_LENGTH = 200;

/** The longest text of an object that is remembered, in characters: all labels of a pod that are kept have less. */
const MAX_OBJECT_LENGTH = 2_048;

/** As many as the objects of one page of a list have in common with their neighbours, and some more. */
const MOST = 4_096;

/**
 * Makes one string of equal ones. Whatever is parsed of JSON has a copy of its own of each string, such as of the name of the application that all of its executors have; kept for tens of thousands of
 * objects, the copies take more memory than all that differs. It remembers only the strings that came last: objects that have much in common are told one after the other.
 */
export class SharedStrings {
  private readonly strings = new Map<string, string>();
  private readonly objects = new Map<string, object>();

  /** @param most how many strings are remembered */
  constructor(private readonly most = MOST) {}

  /** @returns an equal string, the same as before if it is remembered; a long one itself */
  share(text: string): string {
    if (text.length > MAX_LENGTH) return text;
    const known = this.strings.get(text);
    if (known !== undefined) return known;
    if (this.strings.size >= this.most) this.strings.delete(this.strings.keys().next().value!);
    this.strings.set(text, text);
    return text;
  }

  /**
   * Makes one object of those that are made of equal strings.
   *
   * @param text all that the object depends on
   * @returns one that was made of this text before, or a new one; it must not be changed
   */
  shareObject<T extends object>(text: string, make: () => T): T {
    if (text.length > MAX_OBJECT_LENGTH) return make();
    const known = this.objects.get(text);
    if (known !== undefined) return known as T;
    const made = make();
    if (this.objects.size >= this.most) this.objects.delete(this.objects.keys().next().value!);
    this.objects.set(text, made);
    return made;
  }
}
