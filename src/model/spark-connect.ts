import { LABEL_CONNECT_NAME } from '../api/labels';
import { apiVersionOf } from '../api/kind';
import { SPARK_CONNECT, type SparkConnectSpec } from '../api/spark-connect';
import { SparkConnectState, type SparkConnectStatus } from '../api/spark-connect-status';
import { keyOf, type KubeObject, type ObjectMeta, type OwnerReference } from '../kube/objects';
import type { Cut } from './cut';

/**
 * The parts of a specification that the operator reads at other times than the start of a server. A
 * whole specification is one, too.
 */
export interface ConnectFacts extends Pick<SparkConnectSpec, 'suspend' | 'restartPolicy' | 'idleTimeToLiveSeconds' | 'sparkUIOptions'> {
  readonly sparkConf?: { readonly [key in 'spark.ui.enabled' | 'spark.ui.port' | 'spark.driver.port' | 'spark.driver.blockManager.port']?: string };
  readonly server: Pick<SparkConnectSpec['server'], 'service'>;
}

/** A SparkConnect in memory: of a large specification only facts. */
export interface SparkConnect extends KubeObject {
  readonly metadata: ObjectMeta & { readonly namespace: string; readonly uid: string };
  readonly spec: ConnectFacts;
  /** Present if the specification is not whole. */
  readonly cut?: Cut;
  readonly status?: SparkConnectStatus;
}

/** A SparkConnect as the API server holds it. */
export interface WholeConnect extends SparkConnect {
  readonly spec: SparkConnectSpec;
  readonly cut?: undefined;
}

/** The state in the status; new when there is none. */
export function stateOf({ status }: SparkConnect): SparkConnectState {
  return status?.state ?? SparkConnectState.NEW;
}

/** Name of the server's Pod, the same for each start: kubeflow/spark-operator's. Two servers at the same time cannot be. */
export function serverPodName({ metadata }: Pick<SparkConnect, 'metadata'>): string {
  return `${metadata.name}-server`;
}

/** Name of the Service through which clients reach the server. */
export function serviceNameOf({ metadata, spec }: Pick<SparkConnect, 'metadata' | 'spec'>): string {
  return spec.server.service?.metadata?.name || `${metadata.name}-server`;
}

/** Name of the index of pods by the SparkConnect that they belong to. */
export const BY_CONNECT = 'connect';

/** The key of the SparkConnect that a pod belongs to; undefined for pods of others. */
export function connectKeyOf({ metadata }: KubeObject): string | undefined {
  const name = metadata.labels?.[LABEL_CONNECT_NAME];
  return name && keyOf({ namespace: metadata.namespace, name });
}

/** The SparkConnect as an owner. As with applications it does not block its own deletion. */
export function ownerReferenceOf({ metadata: { name, uid } }: Pick<SparkConnect, 'metadata'>): OwnerReference {
  return { apiVersion: apiVersionOf(SPARK_CONNECT), kind: SPARK_CONNECT.kind, name, uid, controller: true };
}
