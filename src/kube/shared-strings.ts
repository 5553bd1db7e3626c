/** Maximum length of a remembered string; longer ones are rarely equal. */
const MAX_LENGTH = 200;

/** Maximum length of the text of a remembered object; the kept labels of a pod have less. */
const MAX_OBJECT_LENGTH = 2_048;

/** More than the common strings of the objects of one page. */
const MOST = 4_096;

/**
 * Deduplicates equal strings. Parsed objects have their own copy of each string, such as the name
 * of the application on all of its executors; for tens of thousands of objects the copies take more
 * memory than everything else. It remembers only recent strings, because objects with common
 * strings arrive one after the other.
 */
export class SharedStrings {
  private readonly strings = new Map<string, string>();
  private readonly objects = new Map<string, object>();

  /** @param most maximum number of remembered strings */
  constructor(private readonly most = MOST) {}

  /** Returns the remembered equal string, or the given one. */
  share(text: string): string {
    if (text.length > MAX_LENGTH) return text;
    const known = this.strings.get(text);
    if (known !== undefined) return known;
    if (this.strings.size >= this.most) this.strings.delete(this.strings.keys().next().value!);
    this.strings.set(text, text);
    return text;
  }

  /**
   * Returns one object for all that are made of equal strings.
   *
   * @param text text from which the object follows
   * @returns the remembered object of this text, or a new one; callers must not change it
   */
  shareObject<T extends object>(text: string, make: () => T): T {
    if (text.length > MAX_OBJECT_LENGTH) return make();
    const known = this.objects.get(text);
    if (known !== undefined) return known as T;
    const created = make();
    if (this.objects.size >= this.most) this.objects.delete(this.objects.keys().next().value!);
    this.objects.set(text, created);
    return created;
  }
}
