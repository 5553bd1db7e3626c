import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, OwnerReference } from '../../kube/objects';

/**
 * An object of the API server with all in it that is wanted. What others have added stays: defaults, node ports, annotations of a controller. Selectors
 * are replaced as a whole, as Kubernetes treats them, and so are lists of another length.
 *
 * @returns `live` itself if all is in it already
 */
export function merged<T extends KubeObject>(live: T, wanted: T): T {
  const result = merge('', live, wanted) as T;
  return isDeepStrictEqual(result, live) ? live : result;
}

type Fields = Readonly<Record<string, unknown>>;

function merge(name: string, live: unknown, wanted: unknown): unknown {
  if (name === 'ownerReferences') return mergeOwners((live ?? []) as OwnerReference[], wanted as OwnerReference[]);
  if (name === 'selector') return wanted;
  if (Array.isArray(live) && Array.isArray(wanted) && live.length === wanted.length) return wanted.map((item, index) => merge('', live[index], item));
  if (!isObject(live) || !isObject(wanted)) return wanted;
  return { ...live, ...Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, merge(key, live[key], value)])) };
}

/** Owners that others have added stay. */
function mergeOwners(live: readonly OwnerReference[], wanted: readonly OwnerReference[]): OwnerReference[] {
  const missing = wanted.filter(({ uid }) => !live.some((owner) => owner.uid === uid));
  return [...live.map((owner) => ({ ...owner, ...wanted.find(({ uid }) => uid === owner.uid) })), ...missing];
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
