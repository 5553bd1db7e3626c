import { LABEL_CREATED_BY } from '../../api/labels';
import { SPARK_APPLICATION } from '../../api/spark-application';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { type ApiError, isForbidden, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { LruMap } from '../../kube/lru-map';
import { keyOfObject, kindOf, knownOf, type Known, type KnownObjects } from './known';
import { OWNED_RESOURCES } from './resources';

/** Known objects by `keyOfObject`. */
type Objects = Map<string, Known>;

/** Objects of a namespace at its last list, with later changes of the operator. */
interface Snapshot {
  /** Objects by the uid of their application. */
  readonly objects: Map<string, Objects>;
  /** Uids of applications with more objects than are kept. */
  readonly cut: ReadonlySet<string>;
  readonly unavailable: ReadonlyMap<string, ApiError>;
  /** Orphan kinds that were listed, once is enough. */
  readonly searched: ReadonlySet<string>;
  /** Time of the list, by the monotonic clock. */
  readonly readAt: number;
  /** Number of the list, from 1. */
  readonly number: number;
}

/** Owners whose objects are listed. */
export interface Owners {
  readonly kind: string;
  /** Label selector of the objects. */
  readonly labelSelector: string;
}

/** A list in progress. */
interface Listing {
  readonly end: Promise<void>;
  /** Objects written in the meantime, as `[uid, key]`. The list might not contain them. */
  readonly written: (readonly [uid: string, key: string])[];
}

/**
 * Maximum number of cached namespaces: the number that Kubernetes is designed for. Further ones are
 * listed again when they are needed.
 */
const MAX_NAMESPACES = 10_000;

/**
 * Maximum number of objects per kind and application to keep of a list. A later list finds the
 * rest, after these are deleted.
 */
export const MAX_OF_KIND = 50;

/** Maximum length of an owner's uid, in characters; those of Kubernetes have 36. */
const MAX_UID = 64;

/**
 * Maximum size of an object to keep until its comparison, in characters of its JSON. Larger ones
 * are read for the comparison.
 */
const MAX_LIVE = 2_048;

/** Delay before the retry of a failed list. */
const RETRY = 30_000;

/**
 * Inventory of the objects of applications in each namespace, from one list per kind. So after a
 * restart, finished applications cost no call, and running ones no call each. The operator adds its
 * own writes.
 */
export class Inventory {
  private readonly snapshots = new LruMap<string, Snapshot>(MAX_NAMESPACES);
  private readonly listings = new Map<string, Listing>();
  /** Number of started lists in all namespaces, including failed ones. */
  private begun = 0;

  /**
   * @param resources kinds to list
   * @param owners owners of the objects. Default: applications
   * @param orphans kinds that the operator does not create: orphans of another configuration are
   * listed once
   */
  constructor(
    private readonly client: Pick<KubeClient, 'list'>, private readonly clock: Clock,
    private readonly resources: readonly Resource[], private readonly orphans: readonly Resource[] = [],
    private readonly owners: Owners = { kind: SPARK_APPLICATION.kind, labelSelector: `${LABEL_CREATED_BY}=true` },
  ) {}

  /**
   * Loads a namespace. Keeps an older state if the list fails.
   *
   * @param maxAge maximum age of the state, in milliseconds
   * @throws errors of the API server and the network if nothing is known of the namespace
   */
  async load(namespace: string, maxAge: number, signal?: AbortSignal): Promise<void> {
    const snapshot = this.snapshots.get(namespace);
    if (snapshot && this.clock.monotonic() - snapshot.readAt < maxAge && !this.listings.has(namespace)) return;
    try {
      await (this.listings.get(namespace) ?? this.begin(namespace, signal)).end;
    } catch (error) {
      signal?.throwIfAborted();
      if (!snapshot) throw error;
      if (maxAge < Infinity) this.snapshots.set(namespace, { ...snapshot, readAt: this.clock.monotonic() - maxAge + RETRY });
    }
  }

  /**
   * Returns the current moment for `isReadAfter`, as the number of started lists, which is more
   * precise than any clock.
   */
  moment(): number {
    return this.begun;
  }

  /**
   * Whether the list of a namespace started after a moment, and so contains everything from before
   * it.
   */
  isReadAfter(namespace: string, moment: number): boolean {
    return (this.snapshots.get(namespace)?.number ?? 0) > moment;
  }

  /** Returns the known objects of an application, whose namespace must be loaded. */
  of(namespace: string, uid: string): KnownObjects {
    // It is evicted if many other namespaces are loaded, and then listed again.
    const snapshot = () => this.snapshots.get(namespace);
    const note = (key: string) => this.listings.get(namespace)?.written.push([uid, key]);
    return {
      list: () => [...snapshot()?.objects.get(uid)?.values() ?? []],
      get: (key) => snapshot()?.objects.get(uid)?.get(key),
      set: (known) => {
        put(snapshot()?.objects, uid, keyOfObject(known), known);
        note(keyOfObject(known));
      },
      delete: (key) => {
        put(snapshot()?.objects, uid, key, undefined);
        note(key);
      },
      unavailable: (kind) => snapshot()?.unavailable.get(kind),
    };
  }

  /** Whether an application has more objects than are kept; another list finds them. */
  isCut(namespace: string, uid: string): boolean {
    return this.snapshots.get(namespace)?.cut.has(uid) ?? false;
  }

  /** Forgets a deleted application, whose objects the garbage collector deletes. */
  forget(namespace: string, uid: string): void {
    this.snapshots.get(namespace)?.objects.delete(uid);
  }

  private begin(namespace: string, signal?: AbortSignal): Listing {
    const written: Listing['written'] = [];
    const number = ++this.begun;
    const listing: Listing = {
      written,
      end: this.list(namespace, number, signal).then(
        (next) => {
          this.replace(namespace, next, written);
          this.listings.delete(namespace);
        },
        (error) => {
          this.listings.delete(namespace);
          throw error;
        },
      ),
    };
    this.listings.set(namespace, listing);
    return listing;
  }

  private async list(namespace: string, number: number, signal?: AbortSignal): Promise<Snapshot> {
    const readAt = this.clock.monotonic();
    const [objects, cut] = [new Map<string, Objects>(), new Set<string>()];
    const unavailable = new Map<string, ApiError>();
    for (const resource of this.resources) {
      try {
        await this.listKind(resource, namespace, { objects, cut }, signal);
      } catch (error) {
        if (!isOutOfReach(error)) throw error;
        unavailable.set(kindOf(resource), error);
      }
    }
    const searched = new Set(this.snapshots.get(namespace)?.searched);
    for (const resource of this.orphans.filter(({ kind }) => !searched.has(kind))) {
      try {
        await this.listKind(resource, namespace, { objects, cut }, signal);
        searched.add(resource.kind);
      } catch (error) {
        signal?.throwIfAborted();
        // Nothing waits for it: the next list handles another failure.
        if (isOutOfReach(error)) searched.add(resource.kind);
      }
    }
    return { objects, cut, unavailable, searched, readAt, number };
  }

  private async listKind(
    resource: Resource, namespace: string, { objects, cut }: { objects: Map<string, Objects>; cut: Set<string> },
    signal?: AbortSignal,
  ): Promise<void> {
    const kind = kindOf(resource);
    const isCreated = kind in OWNED_RESOURCES && this.resources.includes(resource);
    const counts = new Map<string, number>();
    for await (const object of this.client.list(resource, { namespace, labelSelector: this.owners.labelSelector, signal })) {
      const uid = ownerUidOf(object, this.owners.kind);
      if (!uid) continue;
      const count = (counts.get(uid) ?? 0) + 1;
      counts.set(uid, count);
      if (count > MAX_OF_KIND) cut.add(uid);
      else put(objects, uid, keyOfObject({ kind, name: object.metadata.name }), knownOf(kind, object, isCreated ? liveOf(object) : {}));
    }
  }

  /**
   * Merges a list with the previous state: compared and unchanged objects need no new comparison,
   * and objects written during the list have their written state.
   */
  private replace(namespace: string, next: Snapshot, written: Listing['written']): void {
    const before = this.snapshots.get(namespace);
    for (const [uid, objects] of next.objects) {
      const earlier = before?.objects.get(uid);
      for (const [key, found] of objects) {
        const known = earlier?.get(key);
        if (known?.satisfies && known.uid === found.uid && known.resourceVersion === found.resourceVersion) objects.set(key, known);
      }
    }
    for (const [uid, objects] of before?.objects ?? []) {
      for (const [key, known] of objects) if (before!.searched.has(known.kind)) put(next.objects, uid, key, known);
    }
    for (const [uid, key] of written) put(next.objects, uid, key, before?.objects.get(uid)?.get(key));
    this.snapshots.set(namespace, next);
  }
}

function put(objects: Map<string, Objects> | undefined, uid: string, key: string, known: Known | undefined): void {
  const own = objects?.get(uid);
  if (known && own) own.set(key, known);
  else if (known) objects?.set(uid, new Map([[key, known]]));
  else if (own?.delete(key) && own.size === 0) objects!.delete(uid);
}

/** Whether the operator has no permission, or the cluster does not have the kind. */
function isOutOfReach(error: unknown): error is ApiError {
  return isForbidden(error) || isNotFound(error);
}

/**
 * Returns the uid of the application that controls an object: by its owner, not by a label, which
 * kubeflow's objects do not have.
 */
function ownerUidOf({ metadata }: KubeObject, ownerKind: string): string | undefined {
  const uid = metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === ownerKind)?.uid;
  return uid !== undefined && uid.length <= MAX_UID ? uid : undefined;
}

/** Returns the parts of an object to keep until its comparison with the wanted state. */
function liveOf(object: KubeObject): Pick<Known, 'live'> {
  const live = slim(object);
  return JSON.stringify(live).length <= MAX_LIVE ? { live } : {};
}

/** Returns an object without unused fields. */
function slim(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata as KubeObject['metadata'] & { managedFields?: unknown };
  const { status: __, ...others } = object as KubeObject & { status?: unknown };
  return { ...others, metadata };
}
