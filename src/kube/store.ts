import { isDeepStrictEqual } from 'node:util';
import { toError } from './errors';
import { ByName } from './by-name';
import { compareResourceVersions, type KubeObject, type Ref } from './objects';

/**
 * Smaller arrays are copied for each new element, with exact capacity. V8 grows an array in place
 * by half and another 16 elements.
 */
const SMALL = 16;

/** A change in a store. The objects are shared: never modify them. */
export type StoreEvent<T> =
  | { readonly type: 'added'; readonly object: T }
  /** A field other than the resource version has changed. */
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  /** `object` is the last known state. */
  | { readonly type: 'deleted'; readonly object: T };

/**
 * Receives each event synchronously, in order. It must not write to the store; typically it adds
 * keys to a work queue.
 */
export type StoreListener<T> = (event: StoreEvent<T>) => void;

/** Returns the values under which an index finds an object. */
export type IndexFunction<T> = (object: T) => string | readonly string[] | undefined;

/** Settings of a store. */
export interface StoreOptions<T> {
  /** Secondary indexes by name. The functions must be pure and must not throw. @default - none */
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /**
   * Receives errors of listeners; other listeners and the store continue.
   * @default - errors are dropped
   */
  readonly onListenerError?: (error: Error, event: StoreEvent<T>) => void;
}

/** Result of a list, for `Store.replace`. */
export interface Snapshot<T> {
  /** All objects of the list. */
  readonly objects: Iterable<T>;
  /** The resource version of the list. */
  readonly resourceVersion: string;
  /** The listed namespace. @default - all */
  readonly namespace?: string;
  /**
   * Whether the server's history went backwards, as after a restore from a backup: older resource
   * versions are then valid.
   * @default false
   */
  readonly reset?: boolean;
}

/**
 * Objects of one resource type, as last reported by the API server.
 *
 * Three sources write to it: lists (`replace`), watches (`apply`) and the answers to own writes
 * (`upsert`). They arrive in any order relative to each other. This is safe because a watch is
 * complete: the store knows up to which resource version it has all changes, and older versions of
 * an object are stale. So the answer to a write is visible at once, a late watch event does not
 * restore the older state, and a late answer does not restore a deleted object.
 */
export class Store<T extends KubeObject> {
  private readonly objects = new ByName<T>();
  private readonly indexes: ReadonlyMap<string, Index<T>>;
  private readonly listeners = new Set<StoreListener<T>>();
  private readonly onListenerError: NonNullable<StoreOptions<T>['onListenerError']>;
  /** Resource version up to which all changes are known, by namespace; '' is all namespaces. */
  private readonly known = new Map<string, string>();

  constructor(options: StoreOptions<T> = {}) {
    this.indexes = new Map(Object.entries(options.indexes ?? {}).map(([name, valuesOf]) => [name, new Index(valuesOf)]));
    this.onListenerError = options.onListenerError ?? (() => {});
  }

  /** Number of objects. */
  get size(): number {
    return this.objects.size;
  }

  /** Returns the object with this key, or with this namespace and name. */
  get(key: string | Ref): T | undefined {
    return this.objects.get(key);
  }

  /** Returns all objects, namespace by namespace, oldest in the store first. */
  list(): T[] {
    return this.objects.list();
  }

  /**
   * Returns the objects with a value in an index.
   *
   * @throws {Error} if the index does not exist
   */
  byIndex(index: string, value: string): T[] {
    const found = this.indexes.get(index);
    if (!found) throw new Error(`the store has no index ${JSON.stringify(index)}`);
    return found.get(value);
  }

  /** Calls the listener for all later events, until the returned function is called. */
  subscribe(listener: StoreListener<T>): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Adds the server's answer to an own write, so that the next read from the store returns it.
   *
   * The reflector's selectors must select the object, and its transform must have been applied: the
   * watch never reports the end of other objects.
   *
   * @returns whether the answer changed the store
   */
  upsert(object: T): boolean {
    // If versions are not comparable, only the watch shows whether this one is stale or already
    // deleted.
    if (!isOrdered(object.metadata.resourceVersion)) return false;
    return this.put(object);
  }

  /**
   * Applies an event of a watch; then all changes up to the event's resource version are known.
   *
   * @param namespace the watched namespace; all, if `undefined`
   */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T, namespace?: string): void {
    if (type === 'DELETED') {
      const stored = this.get(object.metadata);
      if (stored && !isNewerThan(stored, object)) this.remove(stored);
    } else {
      this.put(object);
    }
    this.advance(object.metadata.resourceVersion, namespace);
  }

  /** Records that there are no changes up to this resource version: the bookmark of a watch. */
  advance(resourceVersion: string | undefined, namespace = ''): void {
    const order = compareResourceVersions(resourceVersion, this.known.get(namespace));
    if (isOrdered(resourceVersion) && (order === undefined || order > 0)) {
      this.known.set(namespace, resourceVersion!);
    }
  }

  /**
   * Makes the store equal to a list, with an event for each difference.
   *
   * Own writes that are newer than the list are kept: the watch after the list will report them.
   */
  replace({ objects, resourceVersion, namespace, reset = false }: Snapshot<T>): void {
    const listed = new ByName<T>();
    for (const object of objects) listed.set(object);

    if (reset) {
      this.known.clear();
    }
    for (const stored of this.objects) {
      const inScope = namespace === undefined || stored.metadata.namespace === namespace;
      const newer = !reset && (compareResourceVersions(stored.metadata.resourceVersion, resourceVersion) ?? -1) > 0;
      if (inScope && !newer && !listed.get(stored.metadata)) this.remove(stored);
    }
    for (const object of listed) {
      const stored = this.get(object.metadata);
      if (reset || !stored || !isNewerThan(stored, object)) this.set(object, stored);
    }
    this.advance(resourceVersion, namespace);
  }

  /**
   * Returns the newest resource version of the list and watch of a namespace, or of all namespaces.
   */
  knownResourceVersion(namespace = ''): string | undefined {
    return this.known.get(namespace);
  }

  /** Stores an object unless the known state is as new or newer. */
  private put(object: T): boolean {
    const { namespace = '', resourceVersion } = object.metadata;
    const known = this.known.get(namespace) ?? this.known.get('');
    if ((compareResourceVersions(resourceVersion, known) ?? 1) <= 0) return false;
    const stored = this.get(object.metadata);
    if (stored && (compareResourceVersions(resourceVersion, stored.metadata.resourceVersion) ?? 1) <= 0) return false;
    return this.set(object, stored);
  }

  private set(object: T, old: T | undefined): boolean {
    this.objects.set(object);
    for (const index of this.indexes.values()) index.move(old, object);
    if (!old) {
      this.emit({ type: 'added', object });
    } else if (old.metadata.uid !== object.metadata.uid) {
      // Another object with the same name: the old one was deleted in between.
      this.emit({ type: 'deleted', object: old });
      this.emit({ type: 'added', object });
    } else if (!sameContent(old, object)) {
      this.emit({ type: 'updated', object, old });
    } else {
      return false;
    }
    return true;
  }

  private remove(object: T): void {
    this.objects.delete(object.metadata);
    for (const index of this.indexes.values()) index.move(object, undefined);
    this.emit({ type: 'deleted', object });
  }

  private emit(event: StoreEvent<T>): void {
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        this.onListenerError(toError(error), event);
      }
    }
  }
}

/** Index of objects by values that a function derives from them. */
class Index<T extends KubeObject> {
  /** Arrays, which take a third of the memory of maps; most are small. */
  private readonly buckets = new Map<string, T[]>();

  constructor(private readonly valuesOf: IndexFunction<T>) {}

  get(value: string): T[] {
    return [...this.buckets.get(value) ?? []];
  }

  move(from: T | undefined, to: T | undefined): void {
    const values = this.values(to);
    for (const value of this.values(from)) {
      const bucket = this.buckets.get(value) ?? [];
      const at = bucket.indexOf(from!);
      // A repeated value.
      if (at < 0) continue;
      if (values.includes(value)) bucket[at] = to!;
      else if (bucket.length > 1) bucket.splice(at, 1);
      else this.buckets.delete(value);
    }
    for (const value of values) {
      const bucket = this.buckets.get(value) ?? [];
      if (bucket.includes(to!)) continue;
      if (bucket.length < SMALL) this.buckets.set(value, bucket.concat([to!]));
      else bucket.push(to!);
    }
  }

  private values(object: T | undefined): readonly string[] {
    const values = object && this.valuesOf(object);
    return values === undefined ? [] : typeof values === 'string' ? [values] : values;
  }
}

function isOrdered(resourceVersion: string | undefined): boolean {
  return compareResourceVersions(resourceVersion, resourceVersion) === 0;
}

/** Whether `a` is certainly newer than `b`. */
function isNewerThan(a: KubeObject, b: KubeObject): boolean {
  return (compareResourceVersions(a.metadata.resourceVersion, b.metadata.resourceVersion) ?? -1) > 0;
}

function sameContent(a: KubeObject, b: KubeObject): boolean {
  const { resourceVersion } = a.metadata;
  // This shortcut matters for a new list of many thousand objects, few of which have changed.
  return (resourceVersion !== undefined && resourceVersion === b.metadata.resourceVersion)
    || isEqual(a, { ...b, metadata: { ...b.metadata, resourceVersion } });
}

/**
 * Treats objects nested too deeply to compare, which only attackers write, as changed: they must
 * not stop the store.
 */
function isEqual(a: object, b: object): boolean {
  try {
    return isDeepStrictEqual(a, b);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
