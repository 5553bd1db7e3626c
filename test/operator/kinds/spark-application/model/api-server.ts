import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../../../../src/kube/errors';
import type { ObjectMeta, OwnerReference, Ref } from '../../../../../src/kube/objects';
import type { Resource } from '../../../../../src/kube/resource';
import type { ModelClock } from './model-clock';

/** Object as the server holds it. It is never changed: each write makes a new one. */
export interface Stored {
  readonly kind?: string;
  readonly metadata: ObjectMeta & { readonly uid: string; readonly resourceVersion: string };
  readonly spec?: any;
  readonly status?: any;
}

/** Change, as a watch reports it. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly plural: string;
  readonly object: Stored;
  readonly before?: Stored;
  /** Name of the client that made it. */
  readonly by: string;
}

type Kind = Pick<Resource, 'plural'>;

/** Conditions of a deletion. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

const GRACE = 30;

/**
 * API server in memory, with the rules that matter to the reconciler. It has resource versions and
 * their conflicts, uids as preconditions, and names that are taken. The status is a subresource,
 * and the generation grows only with the specification. Pods on a node are deleted gracefully. A
 * log has all changes for watches. The controller manager collects garbage, later.
 */
export class ApiServer {
  /** All changes in order; watches are positions in it. */
  readonly log: Change[] = [];
  /** Called for each change. It can throw: the model is wrong, or the operator. */
  onChange: (change: Change) => void = () => undefined;
  private readonly objects = new Map<string, Stored>();
  private version = 100;

  constructor(private readonly clock: ModelClock) {}

  find(kind: Kind, ref: Ref): Stored | undefined {
    return this.objects.get(keyOf(kind, ref));
  }

  all(kind?: Kind): Stored[] {
    return [...this.objects].filter(([key]) => !kind || key.startsWith(`${kind.plural} `)).map(([, object]) => object);
  }

  exists(uid: string): boolean {
    return [...this.objects.values()].some(({ metadata }) => metadata.uid === uid);
  }

  get(kind: Kind, ref: Ref): Stored {
    const found = this.find(kind, ref);
    if (!found) throw refusal('get', kind, ref, 404, 'NotFound');
    return found;
  }

  list(kind: Kind, { namespace, labelSelector = '' }: { readonly namespace?: string; readonly labelSelector?: string }): Stored[] {
    const [label, value] = labelSelector.split('=');
    return this.all(kind).filter(({ metadata }) => metadata.namespace === namespace && (!label || metadata.labels?.[label] === value));
  }

  create(by: string, kind: Kind, given: object): Stored {
    const object = asJson(given) as Stored;
    if (this.find(kind, object.metadata)) throw refusal('create', kind, object.metadata, 409, 'AlreadyExists');
    const metadata = {
      ...object.metadata, uid: `${kind.plural}-${this.version}`, creationTimestamp: this.clock.serverTime(), generation: 1,
    };
    return this.put(by, kind, 'ADDED', {
      ...object, ...(kind.plural === 'pods' && { status: { phase: 'Pending' } }), metadata: metadata as Stored['metadata'],
    });
  }

  /** Writes the whole object for a user or a node. */
  update(by: string, kind: Kind, object: Stored): Stored {
    const before = this.get(kind, object.metadata);
    const grows = !isDeepStrictEqual(before.spec, object.spec) && kind.plural === 'sparkapplications';
    return this.put(by, kind, 'MODIFIED', {
      ...object, metadata: { ...object.metadata, generation: (before.metadata.generation ?? 1) + (grows ? 1 : 0) },
    }, before);
  }

  updateStatus(by: string, kind: Kind, given: object): Stored {
    const { metadata, status } = asJson(given) as Stored;
    const before = this.get(kind, metadata);
    if (metadata.uid !== before.metadata.uid || metadata.resourceVersion !== before.metadata.resourceVersion) {
      throw refusal('update', kind, metadata, 409, 'Conflict');
    }
    return isDeepStrictEqual(before.status, status) ? before : this.put(by, kind, 'MODIFIED', { ...before, status }, before);
  }

  delete(by: string, kind: Kind, ref: Ref, { uid, resourceVersion }: Preconditions = {}): void {
    const before = this.get(kind, ref);
    const holds = [
      [uid, before.metadata.uid], [resourceVersion, before.metadata.resourceVersion],
    ].every(([wanted, actual]) => wanted === undefined || wanted === actual);
    if (!holds) throw refusal('delete', kind, ref, 409, 'Conflict');
    // The pod strategy: the deletion of a pod without a node, or of one that has ended, needs no
    // wait.
    const isGraceful = kind.plural === 'pods' && before.spec?.nodeName && !['Succeeded', 'Failed'].includes(before.status?.phase);
    if (!isGraceful) return this.remove(by, kind, ref);
    if (before.metadata.deletionTimestamp) return;
    const deletionTimestamp = new Date(Date.parse(this.clock.serverTime()) + GRACE * 1000).toISOString().replace(/\.\d{3}Z$/, 'Z');
    this.put(
      by, kind, 'MODIFIED', { ...before, metadata: { ...before.metadata, deletionTimestamp, deletionGracePeriodSeconds: GRACE } }, before,
    );
  }

  /** Removes an object from the store, as the kubelet does at the end of a pod. */
  remove(by: string, kind: Kind, ref: Ref): void {
    const before = this.get(kind, ref);
    this.objects.delete(keyOf(kind, ref));
    this.note({ type: 'DELETED', plural: kind.plural, object: this.versioned(before), before, by });
  }

  /**
   * Deletes objects whose owners are gone, as the controller manager does.
   *
   * @returns whether it deleted any
   */
  collectGarbage(): boolean {
    let found = false;
    for (const [key, { metadata }] of [...this.objects]) {
      const owners: readonly OwnerReference[] = metadata.ownerReferences ?? [];
      if (metadata.deletionTimestamp || owners.length === 0 || owners.some(({ uid }) => this.exists(uid))) continue;
      this.delete('garbage collector', { plural: key.split(' ')[0]! }, metadata, { uid: metadata.uid });
      found = true;
    }
    return found;
  }

  private put(by: string, kind: Kind, type: Change['type'], object: Stored, before?: Stored): Stored {
    const stored = this.versioned(object);
    this.objects.set(keyOf(kind, stored.metadata), stored);
    this.note({ type, plural: kind.plural, object: stored, before, by });
    return stored;
  }

  private versioned(object: Stored): Stored {
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.version) } };
  }

  private note(change: Change): void {
    this.log.push(change);
    this.onChange(change);
  }
}

/** Returns the server's error for a rejected call. */
export function refusal(
  verb: string, { plural }: Kind, { namespace, name }: Partial<Ref>, status: number, reason?: string, message?: string,
): ApiError {
  return new ApiError({ verb, resource: plural, namespace, name }, status, { reason, message });
}

function keyOf({ plural }: Kind, { namespace, name }: Ref): string {
  return `${plural} ${namespace}/${name}`;
}

/** Returns the object as it is sent: without undefined fields. */
function asJson(object: object): unknown {
  return JSON.parse(JSON.stringify(object));
}
