/**
 * Location of an object: its name, and its namespace if its kind is namespaced. Every object's
 * `metadata` is a `Ref`.
 */
export interface Ref {
  /** The namespace; absent for cluster-scoped kinds. */
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

/**
 * Returns the key of an object in stores and work queues: `namespace/name`, or `name` without a
 * namespace.
 */
export function keyOf(ref: Ref): string {
  return ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name;
}

/** Parses a key of `keyOf`. */
export function parseKey(key: string): Ref {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

const DECIMAL = /^[1-9][0-9]*$/;

/**
 * Compares two resource versions of the same resource type.
 *
 * Kubernetes documents them as comparable decimal numbers of any length, for built-in kinds and
 * custom resources. Aggregated API servers might use another form.
 *
 * @returns negative if `a` is older, positive if `a` is newer, 0 if equal, `undefined` if they are
 * not comparable
 */
export function compareResourceVersions(a: string | undefined, b: string | undefined): number | undefined {
  if (a === undefined || b === undefined || !DECIMAL.test(a) || !DECIMAL.test(b)) {
    return undefined;
  }
  // Without leading zeros the longer number is greater; a conversion to a number would lose
  // precision.
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
