/**
 * Keeps the values that were used last, as long as their weights together are not more than a
 * limit.
 */
export class WeightedCache<V> {
  private readonly entries = new Map<string, { readonly value: V; readonly weight: number }>();
  private total = 0;

  constructor(private readonly limit: number) {}

  /** Returns a value, which counts as used. */
  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /**
   * Keeps a value in place of the previous one of its key. One that is heavier than the limit is
   * not kept.
   */
  set(key: string, value: V, weight: number): void {
    this.delete(key);
    this.entries.set(key, { value, weight });
    this.total += weight;
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.limit) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.total -= this.entries.get(key)?.weight ?? 0;
    this.entries.delete(key);
  }
}
