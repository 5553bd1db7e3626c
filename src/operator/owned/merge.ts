import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, OwnerReference } from '../../kube/objects';

/**
 * Returns an object of the API server with all wanted content. It keeps additions of other
 * controllers: defaults, node ports and annotations. As in Kubernetes, selectors are replaced as a
 * whole, and so are lists with a different length.
 *
 * @returns `live` itself if it has all wanted content
 */
export function merged<T extends KubeObject>(live: T, wanted: T): T {
  const result = merge('', live, wanted) as T;
  return isDeepStrictEqual(result, live) ? live : result;
}

type Fields = Readonly<Record<string, unknown>>;

function merge(name: string, live: unknown, wanted: unknown): unknown {
  if (name === 'ownerReferences') return mergeOwners((live ?? []) as OwnerReference[], wanted as OwnerReference[]);
  if (name === 'selector') return wanted;
  if (Array.isArray(live) && Array.isArray(wanted) && live.length === wanted.length) {
    return wanted.map((item, index) => merge('', live[index], item));
  }
  if (!isObject(live) || !isObject(wanted)) return wanted;
  return { ...live, ...Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, merge(key, live[key], value)])) };
}

/** Returns the owners, including those that others have added. */
function mergeOwners(live: readonly OwnerReference[], wanted: readonly OwnerReference[]): OwnerReference[] {
  const missing = wanted.filter(({ uid }) => !live.some((owner) => owner.uid === uid));
  return [...live.map((owner) => ({ ...owner, ...wanted.find(({ uid }) => uid === owner.uid) })), ...missing];
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
