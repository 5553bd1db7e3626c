import { parseKey, type KubeObject, type Ref } from './objects';

/**
 * Objects by their namespace and name.
 *
 * One map for each namespace, with the objects' own names as keys: keys of both parts would be strings of their own, of some hundred bytes for each object.
 */
export class ByName<T extends KubeObject> implements Iterable<T> {
  private readonly namespaces = new Map<string, Map<string, T>>();
  private count = 0;

  /** Number of objects. */
  get size(): number {
    return this.count;
  }

  /** The object of this name, or of this key (see `keyOf`). */
  get(key: string | Ref): T | undefined {
    const { namespace = '', name } = typeof key === 'string' ? parseKey(key) : key;
    return this.namespaces.get(namespace)?.get(name);
  }

  /** Puts an object in the place of the one of the same name, if there is one. */
  set(object: T): void {
    const { namespace = '', name } = object.metadata;
    let names = this.namespaces.get(namespace);
    if (!names) this.namespaces.set(namespace, names = new Map());
    this.count -= names.size;
    names.set(name, object);
    this.count += names.size;
  }

  /** Takes the object of this name out. */
  delete({ namespace = '', name }: Ref): void {
    const names = this.namespaces.get(namespace);
    if (!names?.delete(name)) return;
    this.count--;
    if (names.size === 0) this.namespaces.delete(namespace);
  }

  /** All of them, namespace by namespace, oldest first. */
  list(): T[] {
    const all: T[] = [];
    for (const names of this.namespaces.values()) for (const object of names.values()) all.push(object);
    return all;
  }

  /** The same, one after the other. Objects may be taken out meanwhile. */
  * [Symbol.iterator](): IterableIterator<T> {
    for (const names of this.namespaces.values()) yield* names.values();
  }
}
