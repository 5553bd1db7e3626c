import { createHash } from 'node:crypto';
import { LABEL_APP_UID, LABEL_ATTEMPT, LABEL_CONNECT_NAME, LABEL_LAUNCHED_BY, LABEL_REVISION, LABEL_SUBMISSION_ID } from '../../api/labels';
import type { SparkConnectSpec } from '../../api/spark-connect';
import type { SparkConnectStatus } from '../../api/spark-connect-status';
import type { KubeObject } from '../kube/objects';
import { hashOf } from '../spark-application/spec-change';
import { rfc3339 } from '../spark-application/step';
import type { SparkConnect } from './model';

/**
 * The id of the current start of the server, a UUID: it follows from what ended last, which is written down before there is another start. So a start that was
 * interrupted is found again under its id, and what an earlier one has left has another.
 */
export function startIdOf({ metadata, status }: Pick<SparkConnect, 'metadata' | 'status'>): string {
  const hex = createHash('sha256').update(`${metadata.uid}/${status?.lastTerminationTime ?? ''}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/** The time of an end, to be written down: later than that of any before, as the id of the next start follows from it. */
export function terminationTime(status: SparkConnectStatus | undefined, end: number): string {
  const before = Date.parse(status?.lastTerminationTime ?? '');
  return rfc3339(Number.isNaN(before) ? end : Math.max(end, before + 1_000));
}

/** The operator's labels of all that belongs to a start. */
export function startLabels({ metadata, status }: Pick<SparkConnect, 'metadata' | 'status'>): { [name: string]: string } {
  return {
    [LABEL_CONNECT_NAME]: metadata.name,
    [LABEL_APP_UID]: metadata.uid,
    [LABEL_ATTEMPT]: String((status?.restarts ?? 0) + 1),
    [LABEL_LAUNCHED_BY]: 'true',
    [LABEL_SUBMISSION_ID]: startIdOf({ metadata, status }),
  };
}

/** What the server of a specification is started with: the generation, and what stands for the fields that it has to be started anew for. */
export function revisionOf({ metadata, spec }: Pick<SparkConnect, 'metadata' | 'spec'>): string {
  return `${metadata.generation ?? 1}-${hashOf(runFieldsOf(spec))}`;
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
  const { generation } = connect.metadata;
  const [madeFor, hash] = pod.metadata.labels?.[LABEL_REVISION]?.split('-') ?? [];
  if (madeFor === undefined) return connect.status?.observedGeneration !== undefined && connect.status.observedGeneration !== generation;
  return madeFor !== String(generation ?? 1) && hash !== hashOf(runFieldsOf(connect.spec));
}
