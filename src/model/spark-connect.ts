import { LABEL_CONNECT_NAME } from '../api/labels';
import { apiVersionOf } from '../api/kind';
import { SPARK_CONNECT, type SparkConnectSpec } from '../api/spark-connect';
import { SparkConnectState, type SparkConnectStatus } from '../api/spark-connect-status';
import { keyOf, type KubeObject, type ObjectMeta, type OwnerReference } from '../kube/objects';
import type { Cut } from './cut';
import type { StatusWriter } from './status-writers';

/**
 * Parts of a specification that the operator also reads after it has started the server. A complete
 * specification is assignable to it.
 */
export interface ConnectFacts extends Pick<SparkConnectSpec, 'suspend' | 'restartPolicy' | 'idleTimeToLiveSeconds' | 'sparkUIOptions'> {
  readonly sparkConf?: {
    readonly [key in 'spark.ui.enabled' | 'spark.ui.port' | 'spark.driver.port' | 'spark.driver.blockManager.port']?: string;
  };
  readonly server: Pick<SparkConnectSpec['server'], 'service'>;
}

/** A SparkConnect in memory. If its specification is large, it only has the facts. */
export interface SparkConnect extends KubeObject {
  readonly metadata: ObjectMeta & { readonly namespace: string; readonly uid: string };
  readonly spec: ConnectFacts;
  /** Present if the specification is not complete. */
  readonly cut?: Cut;
  readonly status?: SparkConnectStatus;
  /** Writers of the status, read from the managed fields, which are not kept. */
  readonly statusWriters?: readonly StatusWriter[];
}

/** A SparkConnect with its complete specification. */
export interface WholeConnect extends SparkConnect {
  readonly spec: SparkConnectSpec;
  readonly cut?: undefined;
}

/** Returns the state in the status, or new if there is none. */
export function stateOf({ status }: SparkConnect): SparkConnectState {
  return status?.state ?? SparkConnectState.NEW;
}

/**
 * Returns the name of the server's Pod. As in kubeflow/spark-operator, it is the same for each
 * start, so two servers cannot run at once.
 */
export function serverPodName({ metadata }: Pick<SparkConnect, 'metadata'>): string {
  return `${metadata.name}-server`;
}

/** Returns the name of the Service through which clients reach the server. */
export function serviceNameOf({ metadata, spec }: Pick<SparkConnect, 'metadata' | 'spec'>): string {
  return spec.server.service?.metadata?.name || `${metadata.name}-server`;
}

/** Name of the index of pods by their SparkConnect. */
export const BY_CONNECT = 'connect';

/** Returns the key of a pod's SparkConnect; undefined for other pods. */
export function connectKeyOf({ metadata }: KubeObject): string | undefined {
  const name = metadata.labels?.[LABEL_CONNECT_NAME];
  return name && keyOf({ namespace: metadata.namespace, name });
}

/**
 * Returns a reference to the SparkConnect as owner. As for applications, it does not block the
 * deletion of the owner.
 */
export function ownerReferenceOf({ metadata: { name, uid } }: Pick<SparkConnect, 'metadata'>): OwnerReference {
  return { apiVersion: apiVersionOf(SPARK_CONNECT), kind: SPARK_CONNECT.kind, name, uid, controller: true };
}
