import { parseKey, type KubeObject, type Ref } from './objects';

/**
 * Objects by namespace and name.
 *
 * Each namespace has its own map, whose keys are the objects' own name strings. Keys of both parts
 * would be additional strings of about a hundred bytes for each object.
 */
export class ByName<T extends KubeObject> implements Iterable<T> {
  private readonly namespaces = new Map<string, Map<string, T>>();
  private count = 0;

  /** Number of objects. */
  get size(): number {
    return this.count;
  }

  /** Returns the object with this name or key (see `keyOf`). */
  get(key: string | Ref): T | undefined {
    const { namespace = '', name } = typeof key === 'string' ? parseKey(key) : key;
    return this.namespaces.get(namespace)?.get(name);
  }

  /** Adds an object; replaces the one with the same name. */
  set(object: T): void {
    const { namespace = '', name } = object.metadata;
    let names = this.namespaces.get(namespace);
    if (!names) this.namespaces.set(namespace, names = new Map());
    this.count -= names.size;
    names.set(name, object);
    this.count += names.size;
  }

  /** Removes the object with this name. */
  delete({ namespace = '', name }: Ref): void {
    const names = this.namespaces.get(namespace);
    if (!names?.delete(name)) return;
    this.count--;
    if (names.size === 0) this.namespaces.delete(namespace);
  }

  /** Returns all objects, namespace by namespace, oldest first. */
  list(): T[] {
    const all: T[] = [];
    for (const names of this.namespaces.values()) for (const object of names.values()) all.push(object);
    return all;
  }

  /** Iterates over the objects in the order of `list`. Objects can be removed meanwhile. */
  * [Symbol.iterator](): IterableIterator<T> {
    for (const names of this.namespaces.values()) yield* names.values();
  }
}
