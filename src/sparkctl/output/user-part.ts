import { isObject } from '../../model/is-object';
import type { KubeObject } from '../../kube/objects';

/** Annotation of `kubectl apply` that repeats the manifest. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Fields of metadata that users write. */
const USER_FIELDS = ['name', 'namespace', 'labels', 'annotations', 'ownerReferences', 'finalizers'] as const;

/**
 * Returns the part of an object that users write: no status, and no managed fields and other
 * metadata of the API server. Fields of maps are sorted, as the API server returns them.
 */
export function userPartOf({ metadata, status: _, ...rest }: KubeObject & { readonly status?: unknown }): KubeObject {
  const { [LAST_APPLIED]: __, ...annotations } = metadata.annotations ?? {};
  const kept = Object.fromEntries(USER_FIELDS.flatMap((field) => {
    const value = field === 'annotations' ? annotations : metadata[field];
    return value === undefined || (isObject(value) && Object.keys(value).length === 0) ? [] : [[field, value]];
  }));
  return sorted({ ...rest, metadata: kept }) as KubeObject;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}
