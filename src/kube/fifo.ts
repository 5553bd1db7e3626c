/**
 * Items in the order in which they were added, each at most once. All operations take constant
 * time on average.
 */
export class Fifo<T> {
  private readonly items = new Set<T>();
  /** Stays open: a new iterator would skip all deleted entries again, which is quadratic. */
  private iterator = this.items.values();

  get size(): number {
    return this.items.size;
  }

  /** Adds an item at the end. An item that is in here keeps its place. */
  push(item: T): void {
    this.items.add(item);
  }

  /** Removes an item, wherever it is. */
  delete(item: T): void {
    this.items.delete(item);
  }

  /** Removes the first item and returns it; `undefined` if there is none. */
  shift(): T | undefined {
    if (this.items.size === 0) return undefined;
    let next = this.iterator.next();
    if (next.done) {
      this.iterator = this.items.values();
      next = this.iterator.next();
    }
    this.items.delete(next.value!);
    return next.value;
  }

  /** Removes all items. */
  clear(): void {
    this.items.clear();
  }
}
