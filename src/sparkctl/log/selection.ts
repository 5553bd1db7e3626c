import type { SparkPod } from './pods';
import type { Subject } from './subject';
import type { KubeObject } from '../../kube/objects';

/** Selection of the pods whose logs are printed. */
export interface Selection {
  /** Whether the driver or the server is selected. */
  readonly hasMain: boolean;
  /** Executor id, name of an executor's pod, or `all`. @default - no executor */
  readonly executor?: string;
  /** Only pods of this attempt. @default - the current or last one */
  readonly attempt?: number;
}

/**
 * Returns whether several logs are printed at a time, so that each line needs the name of its pod.
 */
export function isCombined({ executor }: Selection): boolean {
  return executor === 'all';
}

/** Returns whether a pod is selected, regardless of its attempt. */
export function hasSelectedRole(pod: SparkPod, { hasMain, executor }: Selection, { mainRole }: Pick<Subject, 'mainRole'>): boolean {
  if (pod.role === mainRole) return hasMain;
  return pod.role === 'executor' && executor !== undefined
    && (executor === 'all' || executor === pod.executor || executor === pod.metadata.name);
}

/** Sorts pods: the driver or server first, then executors by their ids. */
export function inOrder(pods: readonly SparkPod[]): SparkPod[] {
  const number = ({ role, executor }: SparkPod) => (role === 'executor' ? Number(executor ?? Infinity) : -1);
  return [...pods].sort((a, b) => number(a) - number(b));
}

/**
 * Returns whether a pod is selected.
 *
 * @param object owner of the pod; undefined once it has been deleted
 */
export function isSelected(pod: SparkPod, object: KubeObject | undefined, selection: Selection, subject: Subject): boolean {
  if (!hasSelectedRole(pod, selection, subject)) return false;
  return selection.attempt === undefined ? object !== undefined && subject.isCurrent(pod, object) : pod.attempt === selection.attempt;
}
