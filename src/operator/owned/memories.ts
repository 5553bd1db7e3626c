import type { Inventory } from './inventory';
import { keyOf, type ObjectMeta } from '../../kube/objects';

/** What is remembered of each owner of objects, as long as it is the same one: one of the same name that comes later begins anew. */
export class Memories<T extends { readonly uid: string }> {
  private readonly memories = new Map<string, T>();

  constructor(private readonly inventory: Pick<Inventory, 'forget'>, private readonly begin: (uid: string) => T) {}

  /** How many are remembered. */
  get size(): number {
    return this.memories.size;
  }

  /** What is remembered of an owner. */
  of(metadata: ObjectMeta & { readonly uid: string }): T {
    const key = keyOf(metadata);
    const before = this.memories.get(key);
    if (before?.uid === metadata.uid) return before;
    const memory = this.begin(metadata.uid);
    this.memories.set(key, memory);
    return memory;
  }

  /** Remembers nothing of an owner any more. */
  delete(metadata: ObjectMeta): void {
    this.memories.delete(keyOf(metadata));
  }

  /** The owner is gone; what it owned goes by itself. `key` is `namespace/name`. */
  forget(key: string): void {
    const memory = this.memories.get(key);
    if (memory) this.inventory.forget(key.slice(0, key.indexOf('/')), memory.uid);
    this.memories.delete(key);
  }
}
