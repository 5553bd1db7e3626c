import { LABEL_REVISION } from '../../api/labels';
import type { SparkConnectSpec } from '../../api/spark-connect';
import { hashOf } from '../../model/hash';
import type { KubeObject } from '../../kube/objects';
import type { SparkConnect } from '../../model/spark-connect';

/** What the server of a specification is started with: the generation, and what stands for the fields that it has to be started anew for. */
export function revisionOf(connect: Pick<SparkConnect, 'metadata' | 'spec' | 'cut'>): string {
  return `${connect.metadata.generation ?? 1}-${currentHashOf(connect)}`;
}

/** Returns the hash of the fields that a server has to be started anew for. */
export function runHashOf(spec: SparkConnectSpec): string {
  return hashOf(runFieldsOf(spec));
}

/** The same of a SparkConnect, also if its specification is not kept. */
function currentHashOf({ spec, cut }: Pick<SparkConnect, 'spec' | 'cut'>): string {
  return cut?.hash ?? runHashOf(spec as SparkConnectSpec);
}

/** Without what concerns the Service, the web UI's ways in, and when it runs at all. */
function runFieldsOf({ suspend: _, restartPolicy: __, idleTimeToLiveSeconds: ___, sparkUIOptions: ____, server, ...spec }: SparkConnectSpec): object {
  const { service: _____, ...pod } = server;
  return Object.fromEntries(Object.entries({ ...spec, server: pod }).filter(([, value]) => !isEmpty(value)));
}

/** Without properties is without properties, however it is written. */
function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

/**
 * Whether a server runs with another specification than is written now. Only after a write of its user: the same generation is the same specification, whatever another version of the
 * operator or of the CRD makes of it. Of a server that kubeflow/spark-operator has started nobody knows more than whether there was a write since it was first seen.
 */
export function isRevisionChanged(pod: KubeObject, connect: SparkConnect): boolean {
  if (!hasRevision(pod)) return connect.status?.observedGeneration !== undefined && connect.status.observedGeneration !== connect.metadata.generation;
  return isOfAnotherRevision(pod, connect);
}

/** Whether it is known what an object was made for: kubeflow/spark-operator does not say it. */
export function hasRevision({ metadata }: KubeObject): boolean {
  return metadata.labels?.[LABEL_REVISION] !== undefined;
}

/** Whether an object was made for another specification than is written now, by its own label. */
export function isOfAnotherRevision({ metadata: { labels } }: KubeObject, connect: Pick<SparkConnect, 'metadata' | 'spec' | 'cut'>): boolean {
  const [madeFor, hash] = labels?.[LABEL_REVISION]?.split('-') ?? [];
  return madeFor !== undefined && madeFor !== String(connect.metadata.generation ?? 1) && hash !== currentHashOf(connect);
}
