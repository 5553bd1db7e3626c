import type { ApiError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';

/** Returns the identifier of a kind, with its group: two schedulers have a PodGroup each. */
export function kindOf({ kind, group }: Resource): string {
  return kind === 'PodGroup' ? `${kind}.${group}` : kind;
}

/** Known state of an object of an application. */
export interface Known {
  /** See `kindOf`. */
  readonly kind: string;
  readonly name: string;
  /** Its uid; undefined if an answer was lost, so that its existence is unknown. */
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** Address of a Service within the cluster. */
  readonly clusterIP?: string;
  /** Hash of the wanted state that it had when it was last compared or written. */
  readonly satisfies?: string;
  /**
   * The object until its comparison with the wanted state. Absent for large objects, and for kinds
   * that are only deleted.
   */
  readonly live?: KubeObject;
}

/** Known objects of one application. */
export interface KnownObjects {
  list(): readonly Known[];
  get(key: string): Known | undefined;
  set(known: Known): void;
  delete(key: string): void;
  /**
   * Reason why objects of this kind are unavailable in this namespace; undefined if they are
   * available.
   */
  unavailable(kind: string): ApiError | undefined;
}

/** Returns the key of an object among those of its application. */
export function keyOfObject({ kind, name }: Pick<Known, 'kind' | 'name'>): string {
  return `${kind}/${name}`;
}

/** Returns the known state of an object of the API server. */
export function knownOf(kind: string, object: KubeObject, more: Pick<Known, 'satisfies' | 'live'>): Known {
  const { name, uid, resourceVersion } = object.metadata;
  const { clusterIP } = (object as { readonly spec?: { readonly clusterIP?: string } }).spec ?? {};
  return { kind, name, uid, resourceVersion, ...clusterIP && { clusterIP }, ...more };
}
