import type { PodTemplate } from './pods/pod-template';

/**
 * Maximum size of a reviewed object, in bytes. A review then takes at most 0.3 s of a processor,
 * whatever the object contains. The answer to a larger object is a 413, and the failure policy of
 * the webhook applies. Applications are then checked at their submission.
 *
 * The old object of an update has no such limit, as it takes less than 0.15 s. So users can make a
 * stored object of 1.3 MiB smaller.
 */
export const MAX_OBJECT_BYTES = 512 * 1024;

/**
 * Maximum number of values in the review of a pod. A pod with a hundred containers and volumes has
 * some thousands. A variable has ten, most of them in `managedFields`, which the API server adds
 * before the review.
 */
export const MAX_VALUES_OF_POD = 50_000;

/**
 * Keys of list entries whose fields Kubernetes tracks individually (`patchMergeKey` of
 * `k8s.io/api/core/v1`). The fields of other lists are tracked as one.
 */
const KEYS: { readonly [list: string]: readonly string[] } = {
  containers: ['name'], initContainers: ['name'], env: ['name'], volumes: ['name'], imagePullSecrets: ['name'],
  resourceClaims: ['name'], hostAliases: ['ip'], ownerReferences: ['uid'], ports: ['containerPort', 'protocol'],
  volumeMounts: ['mountPath'], volumeDevices: ['devicePath'], topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
};

/** The cost of a review for the webhook. */
export interface ReviewSize {
  /** The size of the JSON in bytes. */
  readonly bytes: number;
  /**
   * The number of objects, lists, and items after a comma, as the webhook counts them before it
   * parses.
   */
  readonly values: number;
}

/**
 * Returns the size of a pod in an API server's review of its creation. This includes
 * `managedFields`, which name each of its fields, and are the larger part of many pods. Additions
 * by other webhooks and defaults of the API server are unknown.
 */
export function reviewSize(pod: PodTemplate): ReviewSize {
  const { metadata, ...rest } = pod;
  const managedFields = [{
    manager: 'node', operation: 'Update', apiVersion: 'v1', time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1',
    fieldsV1: tracked({ metadata: metadata ?? {}, spec: pod.spec ?? {} }),
  }];
  const reviewed = { ...rest, metadata: { ...metadata, managedFields } };
  const text = JSON.stringify(reviewed);
  // Go writes each of these as six bytes (`json.Encoder.SetEscapeHTML`).
  const escaped = text.match(/[<>&]/g)?.length ?? 0;
  return { bytes: Buffer.byteLength(text) + 5 * escaped, values: valuesOf(reviewed) };
}

/** Returns the fields of an object in the form of `FieldsV1`. */
function tracked(value: unknown, list?: string): object {
  if (typeof value !== 'object' || value === null) return {};
  if (Array.isArray(value)) {
    const keys = list !== undefined && Object.hasOwn(KEYS, list) ? KEYS[list]! : undefined;
    return keys ? Object.fromEntries(value.map((item) => [keyOf(item, keys), { '.': {}, ...tracked(item) }])) : {};
  }
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== undefined).map(([name, field]) => [`f:${name}`, tracked(field, name)]),
  );
}

/** Returns the name of a list entry. */
function keyOf(item: unknown, keys: readonly string[]): string {
  const fields = item as Readonly<Record<string, unknown>> | null;
  return `k:${JSON.stringify(Object.fromEntries(keys.map((key) => [key, fields?.[key]])))}`;
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value).filter((field) => field !== undefined);
  return inner.reduce<number>((sum, each) => sum + valuesOf(each), Math.max(1, inner.length));
}
