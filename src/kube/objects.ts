/** Where an object is: its name, and its namespace if its kind has namespaces. Every object's `metadata` is one. */
export interface Ref {
  /** The namespace; none for cluster-scoped kinds. */
  readonly namespace?: string;
  /** The name. */
  readonly name: string;
}

/** An entry of `metadata.ownerReferences`. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The part of `metadata` that every kind has, as in the object's JSON. */
export interface ObjectMeta extends Ref {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  /** RFC 3339. */
  readonly creationTimestamp?: string;
  /** RFC 3339; set when the object is being deleted. */
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
}

/** Any Kubernetes object, as in its JSON. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

/** The key of an object in stores and work queues: `namespace/name`, or `name` if there is no namespace. */
export function keyOf(ref: Ref): string {
  return ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name;
}

/** The opposite of `keyOf`. */
export function parseKey(key: string): Ref {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

const DECIMAL = /^[1-9][0-9]*$/;

/**
 * Which of two resource versions of the same resource type is newer.
 *
 * Kubernetes documents them as decimal numbers of any length that can be compared, for its own kinds and for custom
 * resources. Aggregated API servers may use something else.
 *
 * @returns negative if `a` is older, positive if `a` is newer, 0 if equal, `undefined` if they cannot be compared
 */
export function compareResourceVersions(a: string | undefined, b: string | undefined): number | undefined {
  if (a === undefined || b === undefined || !DECIMAL.test(a) || !DECIMAL.test(b)) {
    return undefined;
  }
  // Without leading zeros the longer number is the greater one: no precision is lost in a conversion.
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
