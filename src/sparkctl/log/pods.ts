import { LABEL_ATTEMPT, LABEL_SPARK_EXECUTOR_ID, LABEL_SPARK_ROLE } from '../../api/labels';
import type { KubeClient } from '../../kube/client';
import { defineResource } from '../../kube/resource';
import { sparkContainerName, viewOf, type PodView, type RawPod } from '../../model/pod-view';
import { PODS } from '../../model/resources';

/** Pods with the parts of their status that are read here. */
export const RAW_PODS = defineResource<RawPod>(PODS);

/** A pod of an application or a server. */
export interface SparkPod extends PodView {
  /** The name of Spark's container. */
  readonly container: string;
  /** Whether that container has begun, so that there is a log of it. */
  readonly hasLog: boolean;
  /** Whether that container runs. */
  readonly isRunning: boolean;
  /** `driver`, `executor` or `connect-server`. */
  readonly role?: string;
  /** Spark's number of an executor. */
  readonly executor?: string;
  /** The attempt that it was created for; undefined if another operator has created it. */
  readonly attempt?: number;
}

/** What is kept of a pod. */
export function sparkPodOf(pod: RawPod): SparkPod {
  const container = sparkContainerName(pod);
  const state = pod.status?.containerStatuses?.find(({ name }) => name === container)?.state;
  const labels = pod.metadata.labels ?? {};
  return {
    ...viewOf(pod),
    container,
    hasLog: Boolean(state?.running ?? state?.terminated),
    isRunning: state?.running !== undefined,
    role: labels[LABEL_SPARK_ROLE],
    executor: labels[LABEL_SPARK_EXECUTOR_ID],
    attempt: Number(labels[LABEL_ATTEMPT]) || undefined,
  };
}

/** What a pod is called among those of its application: `driver`, `server` or `exec-1`. */
export function labelOf({ role, executor, metadata }: SparkPod): string {
  if (role === 'executor') return executor === undefined ? metadata.name : `exec-${executor}`;
  return role === 'driver' ? 'driver' : 'server';
}

/** The pods that a label selects, as they are now. */
export async function podsNow(client: KubeClient, namespace: string, labelSelector: string, signal: AbortSignal): Promise<SparkPod[]> {
  const pods: SparkPod[] = [];
  for await (const pod of client.list(RAW_PODS, { namespace, labelSelector, signal })) pods.push(sparkPodOf(pod));
  return pods;
}
