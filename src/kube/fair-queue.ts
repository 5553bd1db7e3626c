import { Fifo } from './fifo';

/**
 * Items of several groups, such as the keys of namespaces. Groups take turns, and the items of one
 * group keep their order, so a flooding group only delays itself: an item that is the only one of
 * its group waits at most as many turns as there are groups. All operations take constant time on
 * average.
 */
export class FairQueue<T> {
  /** Only groups with items. */
  private readonly groups = new Map<string, Fifo<T>>();
  /** The same groups, in the order of their next turns. */
  private readonly rotation = new Fifo<string>();
  private items = 0;

  get size(): number {
    return this.items;
  }

  /** Returns the number of items of a group. */
  sizeOf(group: string): number {
    return this.groups.get(group)?.size ?? 0;
  }

  /** Adds an item at the end of its group. An item that is in there keeps its place. */
  push(group: string, item: T): void {
    const queue = this.groups.get(group) ?? new Fifo<T>();
    const before = queue.size;
    queue.push(item);
    this.items += queue.size - before;
    this.groups.set(group, queue);
    this.rotation.push(group);
  }

  /** Removes an item, wherever it is. */
  delete(group: string, item: T): void {
    const queue = this.groups.get(group);
    if (!queue) return;
    const before = queue.size;
    queue.delete(item);
    this.items -= before - queue.size;
    if (queue.size > 0) return;
    this.groups.delete(group);
    this.rotation.delete(group);
  }

  /**
   * Removes the first item of the next group and returns it.
   *
   * @param isReady a group that is not ready loses its turn. @default - all groups are ready
   * @returns undefined if no group with items is ready
   */
  shift(isReady: (group: string) => boolean = () => true): T | undefined {
    for (let turns = this.groups.size; turns > 0; turns--) {
      const group = this.rotation.shift()!;
      if (isReady(group)) return this.shiftFrom(group);
      this.rotation.push(group);
    }
    return undefined;
  }

  /**
   * Removes the first item of the largest group and returns it; `undefined` if there is none. Takes
   * time by the number of groups.
   */
  shiftLargest(): T | undefined {
    let largest: string | undefined;
    for (const [group, { size }] of this.groups) {
      if (largest === undefined || size > this.sizeOf(largest)) largest = group;
    }
    if (largest === undefined) return undefined;
    const queue = this.groups.get(largest)!;
    const item = queue.shift();
    this.items--;
    if (queue.size > 0) return item;
    this.groups.delete(largest);
    this.rotation.delete(largest);
    return item;
  }

  /** Removes all items. */
  clear(): void {
    this.groups.clear();
    this.rotation.clear();
    this.items = 0;
  }

  /** Removes the first item of a group that has had its turn, and returns it. */
  private shiftFrom(group: string): T | undefined {
    const queue = this.groups.get(group)!;
    const item = queue.shift();
    this.items--;
    if (queue.size > 0) this.rotation.push(group);
    else this.groups.delete(group);
    return item;
  }
}
