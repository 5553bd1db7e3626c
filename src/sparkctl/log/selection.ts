import type { SparkPod } from './pods';
import type { Subject } from './subject';
import type { KubeObject } from '../../kube/objects';

/** Whose logs are meant. */
export interface Selection {
  /** Whether the driver's, or the server's, is among them. */
  readonly hasMain: boolean;
  /** An executor's number or the name of its pod, or `all`. @default - none */
  readonly executor?: string;
  /** Only those of this attempt. @default - of what runs, or ran last */
  readonly attempt?: number;
}

/** Whether there may be several at a time, so that each line has to say whose it is. */
export function isCombined({ executor }: Selection): boolean {
  return executor === 'all';
}

/** Whether the log of a pod is meant, whatever the attempt. */
export function isSelected(pod: SparkPod, { hasMain, executor }: Selection, { mainRole }: Pick<Subject, 'mainRole'>): boolean {
  if (pod.role === mainRole) return hasMain;
  return pod.role === 'executor' && executor !== undefined && (executor === 'all' || executor === pod.executor || executor === pod.metadata.name);
}

/** The driver or server first, then executors by their numbers. */
export function inOrder(pods: readonly SparkPod[]): SparkPod[] {
  const number = ({ role, executor }: SparkPod) => (role === 'executor' ? Number(executor ?? Infinity) : -1);
  return [...pods].sort((a, b) => number(a) - number(b));
}

/** Whether the log of a pod is meant. @param object what the pod belongs to; undefined once it has been deleted */
export function isMeant(pod: SparkPod, object: KubeObject | undefined, selection: Selection, subject: Subject): boolean {
  if (!isSelected(pod, selection, subject)) return false;
  return selection.attempt === undefined ? object !== undefined && subject.isCurrent(pod, object) : pod.attempt === selection.attempt;
}
