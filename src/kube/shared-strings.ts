/** Maximum length of a shared string, in characters: longer strings are rarely equal. */
const MAX_LENGTH = 200;

/** Maximum length of an object's text, in characters: all kept labels of a pod are shorter. */
const MAX_OBJECT_LENGTH = 2_048;

/**
 * Maximum depth: deeper strings are rarely equal, and a client's object with thousands of levels
 * must not overflow the stack.
 */
const MAX_DEPTH = 30;

/**
 * Maximum number of shared strings: more than those that neighbouring objects of a page have in
 * common.
 */
const MOST = 4_096;

/**
 * Deduplicates strings. The JSON parser creates a copy of each string, such as an application's
 * name in all of its executors. In tens of thousands of objects, the copies take more memory than
 * everything else. Only the latest strings are remembered: objects with much in common arrive one
 * after another.
 */
export class SharedStrings {
  private readonly strings = new Map<string, string>();
  private readonly objects = new Map<string, object>();

  /** @param most maximum number of strings, and of objects */
  constructor(private readonly most = MOST) {}

  /** Returns an equal string, if one is remembered; otherwise the string itself. */
  share(text: string): string {
    if (text.length > MAX_LENGTH) return text;
    const known = this.strings.get(text);
    if (known !== undefined) return known;
    if (this.strings.size >= this.most) this.strings.delete(this.strings.keys().next().value!);
    this.strings.set(text, text);
    return text;
  }

  /**
   * Deduplicates the strings in an object in place, except for those that are long or deeply
   * nested. The object must have been parsed just now.
   *
   * @returns the object
   */
  shareAll<T extends object>(object: T, depth = MAX_DEPTH): T {
    const fields = object as Record<string, unknown>;
    for (const name in fields) {
      const value = fields[name];
      if (typeof value === 'string') {
        fields[name] = this.share(value);
      } else if (typeof value === 'object' && value !== null && depth > 0) {
        this.shareAll(value, depth - 1);
      }
    }
    return object;
  }

  /**
   * Deduplicates objects by a text.
   *
   * @param text text from which the object follows
   * @returns the remembered object of this text, or a new one; callers must not change it
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
