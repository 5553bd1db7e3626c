import type { Inventory } from './inventory';
import { keyOf, type ObjectMeta } from '../../kube/objects';

/** State by owner of objects. A later owner with the same name has a new state. */
export class Memories<T extends { readonly uid: string }> {
  private readonly memories = new Map<string, T>();

  constructor(private readonly inventory: Pick<Inventory, 'forget'>, private readonly begin: (uid: string) => T) {}

  /** Number of owners with state. */
  get size(): number {
    return this.memories.size;
  }

  /** Returns the state of an owner. */
  of(metadata: ObjectMeta & { readonly uid: string }): T {
    const key = keyOf(metadata);
    const before = this.memories.get(key);
    if (before?.uid === metadata.uid) return before;
    const memory = this.begin(metadata.uid);
    this.memories.set(key, memory);
    return memory;
  }

  /** Removes the state of an owner. */
  delete(metadata: ObjectMeta): void {
    this.memories.delete(keyOf(metadata));
  }

  /**
   * Removes the state of a deleted owner, whose objects the garbage collector deletes. `key` is
   * `namespace/name`.
   */
  forget(key: string): void {
    const memory = this.memories.get(key);
    if (memory) this.inventory.forget(key.slice(0, key.indexOf('/')), memory.uid);
    this.memories.delete(key);
  }
}
