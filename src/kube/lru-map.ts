/** Map with a size limit: beyond it, the least recently used entries are removed. @internal */
export class LruMap<K, V> {
  /** Entries, least recently used first. */
  private readonly entries = new Map<K, { readonly value: V; readonly weight: number }>();
  private total = 0;

  /**
   * @param limit maximum weight of all entries together
   * @param weigh returns the weight of an entry. @default - each weighs 1
   */
  constructor(readonly limit: number, private readonly weigh: (value: V, key: K) => number = () => 1) {}

  /** Number of entries. */
  get size(): number {
    return this.entries.size;
  }

  /** Weight of all entries together. */
  get weight(): number {
    return this.total;
  }

  /** Returns the value of a key and marks it as used; undefined if there is none. */
  get(key: K): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** Stores a value, unless it alone weighs more than the limit. */
  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.weigh(value, key);
    if (weight > this.limit) return;
    this.entries.set(key, { value, weight });
    this.total += weight;
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.limit) return;
      this.delete(oldest);
    }
  }

  /** Removes an entry. */
  delete(key: K): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.total -= entry.weight;
    this.entries.delete(key);
  }
}
