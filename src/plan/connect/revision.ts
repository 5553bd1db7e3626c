import { LABEL_REVISION } from '../../api/labels';
import type { SparkConnectSpec } from '../../api/spark-connect';
import { hashOf } from '../../model/hash';
import type { KubeObject } from '../../kube/objects';
import type { SparkConnect } from '../../model/spark-connect';

/**
 * Returns the revision of the server of a specification: the generation, and a hash of the fields
 * whose change needs a new server.
 */
export function revisionOf(connect: Pick<SparkConnect, 'metadata' | 'spec' | 'cut'>): string {
  return `${connect.metadata.generation ?? 1}-${currentHashOf(connect)}`;
}

/** Returns the hash of the fields whose change needs a new server. */
export function runHashOf(spec: SparkConnectSpec): string {
  return hashOf(runFieldsOf(spec));
}

/** Returns the same hash for a SparkConnect, even if its specification is not kept. */
function currentHashOf({ spec, cut }: Pick<SparkConnect, 'spec' | 'cut'>): string {
  return cut?.hash ?? runHashOf(spec as SparkConnectSpec);
}

/**
 * Returns the fields that a running server depends on. The Service, the routes to the web UI and
 * the fields that determine when the server runs are not among them.
 */
function runFieldsOf(
  { suspend: _, restartPolicy: __, idleTimeToLiveSeconds: ___, sparkUIOptions: ____, server, ...spec }: SparkConnectSpec,
): object {
  const { service: _____, ...pod } = server;
  return Object.fromEntries(Object.entries({ ...spec, server: pod }).filter(([, value]) => !isEmpty(value)));
}

/** Whether a value is empty, so that different ways to write no properties have the same hash. */
function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

/**
 * Whether a server runs with an outdated specification. This needs a write of its user. The same
 * generation is the same specification, even for another version of the operator or of the CRD. For
 * a server of kubeflow/spark-operator, the operator only knows whether a write followed its first
 * observation.
 */
export function isRevisionChanged(pod: KubeObject, connect: SparkConnect): boolean {
  if (!hasRevision(pod)) {
    return connect.status?.observedGeneration !== undefined && connect.status.observedGeneration !== connect.metadata.generation;
  }
  return isOfAnotherRevision(pod, connect);
}

/** Whether an object records its revision: those of kubeflow/spark-operator do not. */
export function hasRevision({ metadata }: KubeObject): boolean {
  return metadata.labels?.[LABEL_REVISION] !== undefined;
}

/** Whether the label of an object has another revision than the current one. */
export function isOfAnotherRevision(
  { metadata: { labels } }: KubeObject, connect: Pick<SparkConnect, 'metadata' | 'spec' | 'cut'>,
): boolean {
  const [generation, hash] = labels?.[LABEL_REVISION]?.split('-') ?? [];
  return generation !== undefined && generation !== String(connect.metadata.generation ?? 1) && hash !== currentHashOf(connect);
}
