import { isDeepStrictEqual } from 'node:util';
import { toError } from './errors';
import { ByName } from './by-name';
import { compareResourceVersions, type KubeObject, type Ref } from './objects';
import type { SharedStrings } from './shared-strings';
import type { UnreadEvent } from './unread-event';

/** Own writes of which the watch has not told yet; it does within moments. More than these are read like the changes of others. */
const MAX_AWAITED = 1_000;

/** An array with fewer is made anew when one comes, with just enough room: V8 gives one that grows in its place room for half as many more and another 16. */
const SMALL = 16;

/** What happened in a store. The objects are shared: never change them. */
export type StoreEvent<T> =
  | { readonly type: 'added'; readonly object: T }
  /** Something other than the resource version has changed. */
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  /** `object` is the last known state. */
  | { readonly type: 'deleted'; readonly object: T };

/** Told of each event, in order, at once. It must not write to the store; putting keys into a work queue is its use. */
export type StoreListener<T> = (event: StoreEvent<T>) => void;

/** The values under which an index finds an object. */
export type IndexFunction<T> = (object: T) => string | readonly string[] | undefined;

/** Settings of a store. */
export interface StoreOptions<T> {
  /** Secondary indexes by name. The functions must be pure and must not throw. @default - none */
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** What makes one of equal strings in different objects, such as their states and images. What is put into the store is changed for it, in place. @default - each object has its own */
  readonly strings?: SharedStrings;
  /** Told when a listener throws; the other listeners and the store go on. @default - errors are dropped */
  readonly onListenerError?: (error: Error, event: StoreEvent<T>) => void;
}

/** The state of a list, for `Store.replace`. */
export interface Snapshot<T> {
  /** All objects of the list. */
  readonly objects: Iterable<T>;
  /** The resource version of the list. */
  readonly resourceVersion: string;
  /** The namespace that was listed. @default - all */
  readonly namespace?: string;
  /**
   * The server's history went backwards, as after a restore from a backup: older resource versions are the truth.
   * @default false
   */
  readonly reset?: boolean;
}

/**
 * Objects of one resource type, as the API server last told us.
 *
 * Three sources write to it: lists (`replace`), watches (`apply`) and the answers to our own writes (`upsert`), which
 * arrive in any order relative to each other. What makes that safe is that a watch is complete: the store knows up to which
 * resource version it has been told everything, and an object of an older version than that has nothing to add. So the
 * answer to a write is visible at once, a late watch event does not bring the older state back, and a late answer
 * does not bring back an object that is deleted.
 */
export class Store<T extends KubeObject> {
  private readonly objects = new ByName<T>();
  private readonly indexes: ReadonlyMap<string, Index<T>>;
  private readonly listeners = new Set<StoreListener<T>>();
  private readonly strings?: SharedStrings;
  private readonly onListenerError: NonNullable<StoreOptions<T>['onListenerError']>;
  /** Up to which resource version all is known, by namespace; '' is all namespaces. */
  private readonly known = new Map<string, string>();
  /** Our own writes of which the watch has not told yet: the resource versions, with the objects' uids. */
  private readonly awaited = new Map<string, string>();

  constructor(options: StoreOptions<T> = {}) {
    this.indexes = new Map(Object.entries(options.indexes ?? {}).map(([name, valuesOf]) => [name, new Index(valuesOf)]));
    this.strings = options.strings;
    this.onListenerError = options.onListenerError ?? (() => {});
  }

  /** Number of objects. */
  get size(): number {
    return this.objects.size;
  }

  /** The object of this key, or of this namespace and name. */
  get(key: string | Ref): T | undefined {
    return this.objects.get(key);
  }

  /** All objects, namespace by namespace, oldest in the store first. */
  list(): T[] {
    return this.objects.list();
  }

  /**
   * The objects that an index finds under a value.
   *
   * @throws {Error} if there is no such index
   */
  byIndex(index: string, value: string): T[] {
    const found = this.indexes.get(index);
    if (!found) throw new Error(`the store has no index ${JSON.stringify(index)}`);
    return found.get(value);
  }

  /** Calls the listener for all events from now on, until the returned function is called. */
  subscribe(listener: StoreListener<T>): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Takes in the server's answer to our own write, so that the next read from the store sees it.
   *
   * It must be an object that the reflector's selectors select, in the form that its projection gives: of others the
   * watch would never tell the end.
   *
   * @returns whether it was news
   */
  upsert(object: T): boolean {
    // Without an order, only the watch can tell whether this is older than what is here, or deleted already.
    if (!isOrdered(object.metadata.resourceVersion)) return false;
    const isNews = this.put(object);
    if (this.get(object.metadata) === object) this.await(object);
    return isNews;
  }

  /**
   * Takes in an event of a watch without reading it, if it tells of a write of our own that is here already. `apply` would do the
   * same with it: the store has the object as new or newer, as long as the watch has not come to this resource version.
   *
   * @param namespace the namespace that is watched; all, if `undefined`
   * @returns whether it was taken in; otherwise it is for `apply`
   */
  applyEcho(event: Pick<UnreadEvent, 'resourceVersion' | 'mentions'>, namespace?: string): boolean {
    if (this.awaited.size === 0) return false;
    const { resourceVersion } = event;
    const uid = resourceVersion === undefined ? undefined : this.awaited.get(resourceVersion);
    // After a restore from a backup another object may get the number of a write that was lost.
    if (uid === undefined || !event.mentions(uid)) return false;
    this.awaited.delete(resourceVersion!);
    this.advance(resourceVersion, namespace);
    return true;
  }

  /**
   * Takes in an event of a watch; then everything up to the event's resource version is known.
   *
   * @param namespace the namespace that is watched; all, if `undefined`
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

  /** Takes in that nothing happened up to this resource version: the bookmark of a watch. */
  advance(resourceVersion: string | undefined, namespace = ''): void {
    const order = compareResourceVersions(resourceVersion, this.known.get(namespace));
    if (isOrdered(resourceVersion) && (order === undefined || order > 0)) {
      this.known.set(namespace, resourceVersion!);
    }
  }

  /**
   * Makes the store equal to a list, with an event for each difference.
   *
   * Our own writes that are newer than the list are kept: the watch that follows the list will tell of them.
   */
  replace({ objects, resourceVersion, namespace, reset = false }: Snapshot<T>): void {
    // What is in the list already, no watch tells of any more.
    this.awaited.clear();
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

  /** The newest resource version that the store has been told of, of the list and watch of a namespace or of all. */
  knownResourceVersion(namespace = ''): string | undefined {
    return this.known.get(namespace);
  }

  /** Takes in an object unless what is known is as new or newer. */
  private put(object: T): boolean {
    const { namespace = '', resourceVersion } = object.metadata;
    const known = this.known.get(namespace) ?? this.known.get('');
    if ((compareResourceVersions(resourceVersion, known) ?? 1) <= 0) return false;
    const stored = this.get(object.metadata);
    if (stored && (compareResourceVersions(resourceVersion, stored.metadata.resourceVersion) ?? 1) <= 0) return false;
    return this.set(object, stored);
  }

  private await({ metadata: { resourceVersion, uid } }: T): void {
    if (uid === undefined) return;
    this.awaited.set(resourceVersion!, uid);
    if (this.awaited.size > MAX_AWAITED) this.awaited.delete(this.awaited.keys().next().value!);
  }

  private set(object: T, old: T | undefined): boolean {
    this.strings?.shareAll(object);
    this.objects.set(object);
    for (const index of this.indexes.values()) index.move(old, object);
    if (!old) {
      this.emit({ type: 'added', object });
    } else if (old.metadata.uid !== object.metadata.uid) {
      // Another object of the same name: in between, the old one was deleted.
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

/** Finds objects by values that a function derives from them. */
class Index<T extends KubeObject> {
  /** Arrays, which take a third of the memory of maps: most are small. */
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
      // The same value twice.
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
  // The short cut matters to a new list of many thousand objects of which few have changed.
  return (resourceVersion !== undefined && resourceVersion === b.metadata.resourceVersion)
    || isEqual(a, { ...b, metadata: { ...b.metadata, resourceVersion } });
}

/** What is nested too deeply to be compared, which only malice does, counts as changed: it must not stop the store. */
function isEqual(a: object, b: object): boolean {
  try {
    return isDeepStrictEqual(a, b);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
