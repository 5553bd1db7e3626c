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

/** By their keys: see `keyOfObject`. */
type Objects = Map<string, Known>;

/** What was there in a namespace, with what has been done since. */
interface Snapshot {
  /** By the uid of the application. */
  readonly objects: Map<string, Objects>;
  /** The uids of applications that have more objects than are kept. */
  readonly cut: ReadonlySet<string>;
  readonly unavailable: ReadonlyMap<string, ApiError>;
  /** The kinds of leftovers that were looked for, which is enough. */
  readonly searched: ReadonlySet<string>;
  /** When it was taken, by the monotonic clock. */
  readonly takenAt: number;
  /** Its place among all listings, from 1. */
  readonly number: number;
}

/** Whose objects are listed. */
export interface Owners {
  readonly kind: string;
  /** What the labels of the objects are. */
  readonly labelSelector: string;
}

/** A listing under way. */
interface Listing {
  readonly end: Promise<void>;
  /** What was written in the meantime: `[uid, key]`. The listing may not have it. */
  readonly written: (readonly [uid: string, key: string])[];
}

/** Namespaces of which it is known what is there: as many as Kubernetes is made for. One more than these is listed again when it is needed. */
const MAX_NAMESPACES = 10_000;

/** Most objects of one kind and application that are kept of a listing. The rest is found by a later one, when these are removed. */
export const MAX_OF_KIND = 50;

/** The longest uid of an owner, in characters; those of Kubernetes have 36. */
const MAX_UID = 64;

/** The longest object, in characters of its JSON, that is kept until it is compared; a longer one is read when it is compared. */
const MAX_LIVE = 2_048;

/** Another try at a listing that failed is worth while after this time. */
const RETRY = 30_000;

/**
 * What belongs to the applications of each namespace, by one list of each kind: so that after a restart applications without number that have
 * finished cost no call at all, and those that run none each. What the operator does itself is added as it goes.
 */
export class Inventory {
  private readonly snapshots = new LruMap<string, Snapshot>(MAX_NAMESPACES);
  private readonly listings = new Map<string, Listing>();
  /** How many listings have begun, of all namespaces, those that failed included. */
  private begun = 0;

  /**
   * @param resources the kinds that are looked for
   * @param owners whose objects. Default: those of applications
   * @param leftovers kinds of which none is made: what an operator with another configuration has left is looked for once
   */
  constructor(
    private readonly client: Pick<KubeClient, 'list'>, private readonly clock: Clock, private readonly resources: readonly Resource[], private readonly leftovers: readonly Resource[] = [],
    private readonly owners: Owners = { kind: SPARK_APPLICATION.kind, labelSelector: `${LABEL_CREATED_BY}=true` },
  ) {}

  /**
   * Makes sure that a namespace is known. An older state is kept if no new one can be had.
   *
   * @param maxAge how old the state may be, in milliseconds
   * @throws errors of the API server and the network if nothing is known of the namespace
   */
  async load(namespace: string, maxAge: number, signal?: AbortSignal): Promise<void> {
    const snapshot = this.snapshots.get(namespace);
    if (snapshot && this.clock.monotonic() - snapshot.takenAt < maxAge && !this.listings.has(namespace)) return;
    try {
      await (this.listings.get(namespace) ?? this.begin(namespace, signal)).end;
    } catch (error) {
      signal?.throwIfAborted();
      if (!snapshot) throw error;
      if (maxAge < Infinity) this.snapshots.set(namespace, { ...snapshot, takenAt: this.clock.monotonic() - maxAge + RETRY });
    }
  }

  /** The present moment, for `isReadAfter`: how many listings have begun. No clock tells this as well. */
  moment(): number {
    return this.begun;
  }

  /** Whether what is known of a namespace was read after a moment: what was there then is known. */
  isReadAfter(namespace: string, moment: number): boolean {
    return (this.snapshots.get(namespace)?.number ?? 0) > moment;
  }

  /** What is known of the objects of an application. Its namespace has to be loaded. */
  of(namespace: string, uid: string): KnownObjects {
    // It goes if enough other namespaces are loaded meanwhile, and is listed again then.
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

  /** Whether an application has more objects than are kept: another listing finds them. */
  isCut(namespace: string, uid: string): boolean {
    return this.snapshots.get(namespace)?.cut.has(uid) ?? false;
  }

  /** The application is gone, and all that it owns goes by itself. */
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
    const takenAt = this.clock.monotonic();
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
    for (const resource of this.leftovers.filter(({ kind }) => !searched.has(kind))) {
      try {
        await this.listKind(resource, namespace, { objects, cut }, signal);
        searched.add(resource.kind);
      } catch (error) {
        signal?.throwIfAborted();
        // Nothing waits for it: another failure is for the next listing.
        if (isOutOfReach(error)) searched.add(resource.kind);
      }
    }
    return { objects, cut, unavailable, searched, takenAt, number };
  }

  private async listKind(resource: Resource, namespace: string, { objects, cut }: { objects: Map<string, Objects>; cut: Set<string> }, signal?: AbortSignal): Promise<void> {
    const kind = kindOf(resource);
    const isMade = kind in OWNED_RESOURCES && this.resources.includes(resource);
    const counts = new Map<string, number>();
    for await (const object of this.client.list(resource, { namespace, labelSelector: this.owners.labelSelector, signal })) {
      const uid = ownerUidOf(object, this.owners.kind);
      if (!uid) continue;
      const count = (counts.get(uid) ?? 0) + 1;
      counts.set(uid, count);
      if (count > MAX_OF_KIND) cut.add(uid);
      else put(objects, uid, keyOfObject({ kind, name: object.metadata.name }), knownOf(kind, object, isMade ? liveOf(object) : {}));
    }
  }

  /** What was compared already and has not changed need not be compared again; what was written during the listing is as it was written. */
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

/** The operator has no right to it, or the cluster no such kind. */
function isOutOfReach(error: unknown): error is ApiError {
  return isForbidden(error) || isNotFound(error);
}

/** The uid of the application that controls an object; by the owner and not by a label, which kubeflow's objects do not have. */
function ownerUidOf({ metadata }: KubeObject, ownerKind: string): string | undefined {
  const uid = metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === ownerKind)?.uid;
  return uid !== undefined && uid.length <= MAX_UID ? uid : undefined;
}

/** Returns what is kept of an object until it is compared with what is wanted. */
function liveOf(object: KubeObject): Pick<Known, 'live'> {
  const live = slim(object);
  return JSON.stringify(live).length <= MAX_LIVE ? { live } : {};
}

/** An object without what nobody here reads. */
function slim(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata as KubeObject['metadata'] & { managedFields?: unknown };
  const { status: __, ...others } = object as KubeObject & { status?: unknown };
  return { ...others, metadata };
}
