import type { ApiError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';

/** How the kinds of such objects are told apart: two schedulers have a PodGroup each. */
export function kindOf({ kind, group }: Resource): string {
  return kind === 'PodGroup' ? `${kind}.${group}` : kind;
}

/** What is known of one object that belongs to an application. */
export interface Known {
  /** See `kindOf`. */
  readonly kind: string;
  readonly name: string;
  /** Its uid; undefined if an answer was lost, so that nobody knows whether it exists. */
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** Address of a Service within the cluster. */
  readonly clusterIP?: string;
  /** Hash of what it was last found, or made, to satisfy. */
  readonly satisfies?: string;
  /** The object itself, as long as it is not compared with what is wanted; absent of large ones and of kinds that are only removed. */
  readonly live?: KubeObject;
}

/** What is known of the objects of one application. */
export interface KnownObjects {
  list(): readonly Known[];
  get(key: string): Known | undefined;
  set(known: Known): void;
  delete(key: string): void;
  /** Why objects of this kind cannot be had in this namespace; undefined if they can. */
  unavailable(kind: string): ApiError | undefined;
}

/** The key of an object among those of its application. */
export function keyOfObject({ kind, name }: Pick<Known, 'kind' | 'name'>): string {
  return `${kind}/${name}`;
}

/** What is to be known of an object that the API server has. */
export function knownOf(kind: string, object: KubeObject, more: Pick<Known, 'satisfies' | 'live'>): Known {
  const { name, uid, resourceVersion } = object.metadata;
  const { clusterIP } = (object as { readonly spec?: { readonly clusterIP?: string } }).spec ?? {};
  return { kind, name, uid, resourceVersion, ...clusterIP && { clusterIP }, ...more };
}
