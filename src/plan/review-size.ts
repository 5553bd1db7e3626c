import type { PodTemplate } from './pods/pod-template';

/**
 * The largest object that is reviewed, in bytes: one review then takes 0.3 s of a processor at most, whatever the object is made of. What is larger is answered with
 * a 413, about which the failure policy of the webhook decides; applications are then checked when they are submitted.
 *
 * The old object of an update has no such limit: it takes less than 0.15 s, and a stored object of
 * 1.3 MiB can be made smaller.
 */
export const MAX_OBJECT_BYTES = 512 * 1024;

/**
 * How many values the review of a pod may have. Those with a hundred containers and volumes have some thousands; a variable has ten, most of them in
 * `managedFields`, which the API server has filled in before it asks.
 */
export const MAX_VALUES_OF_POD = 50_000;

/** What keys the entries of lists of which Kubernetes tracks the fields of each entry (`patchMergeKey` of `k8s.io/api/core/v1`). The fields of other lists are tracked as one. */
const KEYS: { readonly [list: string]: readonly string[] } = {
  containers: ['name'], initContainers: ['name'], env: ['name'], volumes: ['name'], imagePullSecrets: ['name'], resourceClaims: ['name'], hostAliases: ['ip'], ownerReferences: ['uid'],
  ports: ['containerPort', 'protocol'], volumeMounts: ['mountPath'], volumeDevices: ['devicePath'], topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
};

/** What a review costs the webhook. */
export interface ReviewSize {
  /** Bytes of JSON. */
  readonly bytes: number;
  /** Objects, lists, and what stands after a comma: as the webhook counts them before it reads any. */
  readonly values: number;
}

/**
 * How large a pod is in the question of an API server about its creation: with `managedFields`, which name each of its fields, and are in many pods the larger part. What other
 * webhooks add and the API server fills in is not known.
 */
export function reviewSize(pod: PodTemplate): ReviewSize {
  const { metadata, ...rest } = pod;
  const managedFields = [{ manager: 'node', operation: 'Update', apiVersion: 'v1', time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1', fieldsV1: tracked({ metadata: metadata ?? {}, spec: pod.spec ?? {} }) }];
  const reviewed = { ...rest, metadata: { ...metadata, managedFields } };
  const text = JSON.stringify(reviewed);
  // Each of these takes six bytes as Go writes them (`json.Encoder.SetEscapeHTML`).
  const escaped = text.match(/[<>&]/g)?.length ?? 0;
  return { bytes: Buffer.byteLength(text) + 5 * escaped, values: valuesOf(reviewed) };
}

/** The fields of an object, as `FieldsV1` names them. */
function tracked(value: unknown, list?: string): object {
  if (typeof value !== 'object' || value === null) return {};
  if (Array.isArray(value)) {
    const keys = list !== undefined && Object.hasOwn(KEYS, list) ? KEYS[list]! : undefined;
    return keys ? Object.fromEntries(value.map((item) => [keyOf(item, keys), { '.': {}, ...tracked(item) }])) : {};
  }
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined).map(([name, field]) => [`f:${name}`, tracked(field, name)]));
}

/** How an entry of a list is named. */
function keyOf(item: unknown, keys: readonly string[]): string {
  const fields = item as Readonly<Record<string, unknown>> | null;
  return `k:${JSON.stringify(Object.fromEntries(keys.map((key) => [key, fields?.[key]])))}`;
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value).filter((field) => field !== undefined);
  return inner.reduce<number>((sum, each) => sum + valuesOf(each), Math.max(1, inner.length));
}
