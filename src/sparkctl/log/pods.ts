import { LABEL_ATTEMPT, LABEL_SPARK_EXECUTOR_ID, LABEL_SPARK_ROLE, LABEL_SUBMISSION_ID } from '../../api/labels';
import type { KubeClient } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';
import { defineResource } from '../../kube/resource';
import { sparkContainerName, viewOf, type PodView, type RawPod } from '../../model/pod-view';
import { PODS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';

/** Pods, with the fields that are read here. */
export const RAW_PODS = defineResource<RawPod>(PODS);

/** Pod of an application or a Spark Connect server. */
export interface SparkPod extends PodView {
  /** Name of Spark's container. */
  readonly container: string;
  /** Whether that container has started, so that it has a log. */
  readonly hasLog: boolean;
  /** Whether that container runs. */
  readonly isRunning: boolean;
  /** `driver`, `executor` or `connect-server`. */
  readonly role?: string;
  /** Executor id of Spark. */
  readonly executor?: string;
  /**
   * Attempt that the pod belongs to, counted from the last submission or rerun; undefined if
   * another operator has created the pod. `numbered` counts as the status does.
   */
  readonly attempt?: number;
}

/** Converts a pod to the form that is kept in memory. */
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

/**
 * Returns pods with the numbers that the status gives to their attempts: it counts on after a
 * rerun, while the labels begin again.
 *
 * @param object owner of the pods; undefined once it has been deleted
 */
export function numbered(pods: readonly SparkPod[], object: KubeObject | undefined): SparkPod[] {
  const { attemptHistory = [] } = (object as Partial<WholeApplication> | undefined)?.status ?? {};
  const numbers = new Map(attemptHistory.map(({ submissionID, number }) => [submissionID, number]));
  return pods.map((pod) => {
    const number = numbers.get(pod.metadata.labels?.[LABEL_SUBMISSION_ID] ?? '');
    return number === undefined ? pod : { ...pod, attempt: number };
  });
}

/** Returns the short name of a pod within its application: `driver`, `server` or `exec-1`. */
export function labelOf({ role, executor, metadata }: SparkPod): string {
  if (role === 'executor') return executor === undefined ? metadata.name : `exec-${executor}`;
  return role === 'driver' ? 'driver' : 'server';
}

/** Lists the pods that a label selects. */
export async function podsNow(client: KubeClient, namespace: string, labelSelector: string, signal: AbortSignal): Promise<SparkPod[]> {
  const pods: SparkPod[] = [];
  for await (const pod of client.list(RAW_PODS, { namespace, labelSelector, signal })) pods.push(sparkPodOf(pod));
  return pods;
}
