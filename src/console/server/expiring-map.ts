/**
 * A map whose entries expire after a time, and of which the oldest goes first if there are too
 * many.
 */
export class ExpiringMap<T> {
  private readonly entries = new Map<string, { readonly until: number; readonly value: T }>();

  /**
   * @param age milliseconds after which an entry expires
   * @param most entries at most
   * @param now milliseconds
   */
  constructor(private readonly age: number, private readonly most: number, private readonly now: () => number) {}

  /** How many entries take memory. */
  get size(): number {
    return this.entries.size;
  }

  /** Returns the value of an entry that has not expired. */
  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    return entry && entry.until > this.now() ? entry.value : undefined;
  }

  /** Sets a value, and removes the entries that have expired. */
  set(key: string, value: T): void {
    // Again at the end, so that the oldest is first.
    this.entries.delete(key);
    this.entries.set(key, { until: this.now() + this.age, value });
    for (const [oldest, { until }] of this.entries) {
      if (until > this.now() && this.entries.size <= this.most) break;
      this.entries.delete(oldest);
    }
  }

  delete(key: string): void {
    this.entries.delete(key);
  }
}
