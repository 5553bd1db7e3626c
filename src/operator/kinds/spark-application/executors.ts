import { ApplicationState, ExecutorState } from '../../../api/states';
import type { SparkApplicationStatus } from '../../../api/spark-application-status';
import { podState, type ContainerEnd, type PodView } from '../../../model/pod-view';
import type { CoalescedChanges } from '../../runtime/status-coalescer';

/**
 * Milliseconds: most executors that start together run by then, and short applications have ended.
 */
const COALESCING_TIME = 5_000;

/** The same after a failure, for which a user might wait. */
const COALESCING_TIME_OF_FAILURES = 1_000;

/** Changes of executors can wait for others, unless the application itself changes. */
export const EXECUTOR_CHANGES: CoalescedChanges<SparkApplicationStatus> = {
  // Numbers of executors are also in the record of the attempt.
  fields: ['executorState', 'attemptHistory'],
  time: (before, after) => {
    const hasNewFailure = Object.entries(after.executorState ?? {}).some(([name, state]) => (
      state === ExecutorState.FAILED && before.executorState?.[name] !== state
    ));
    return hasNewFailure ? COALESCING_TIME_OF_FAILURES : COALESCING_TIME;
  },
};

/**
 * Maximum size of the record, in bytes of JSON: so a status with all of its attempts stays below 64
 * KiB.
 */
export const MAX_EXECUTOR_BYTES = 44 * 1024;

/** Exit codes of a process that a signal terminated. */
const [SIGTERM, SIGKILL] = [143, 137];

/**
 * Returns the record of executors for the status: the pods that exist now, and the ends of pods
 * that were recorded before.
 *
 * An executor whose pod is gone keeps its final state if it had one. Otherwise the application's
 * end decides, because Spark deletes executors as soon as it no longer needs them. They are
 * completed if the application succeeded, and failed if it failed.
 *
 * @param limit maximum number of entries, so that the status stays small whatever names and labels
 * the pods have. Recorded pods that still exist precede new ones. New pods are ordered by executor
 * id. Pods that are gone come last.
 */
export function executorStates(
  before: Readonly<Record<string, ExecutorState>>, pods: readonly PodView[], state: ApplicationState, limit: number,
): Record<string, ExecutorState> {
  const present = new Map(pods.filter(({ executorId }) => Number.isInteger(executorId)).map((pod) => [pod.metadata.name, pod]));
  const recorded = Object.keys(before);
  const unrecorded = [...present.values()].filter(({ metadata }) => !Object.hasOwn(before, metadata.name));
  const names = [
    ...recorded.filter((name) => present.has(name)),
    ...unrecorded.sort(byExecutorId).map(({ metadata }) => metadata.name),
    ...recorded.filter((name) => !present.has(name)),
  ];
  return Object.fromEntries(fitting(names.slice(0, limit)).map((name) => {
    const [known, pod] = [before[name], present.get(name)];
    if (pod) return [name, stateOfPresent(known, pod, state)];
    return [name, known && isFinal(known) ? known : stateOfGone(state)];
  }));
}

/** Bytes of an entry without the name of its Pod. The longest state has nine characters. */
const ENTRY_BYTES = '"":"COMPLETED",'.length;

/** Returns the first names whose entries fit into the status, whatever their states. */
function fitting(names: readonly string[]): readonly string[] {
  let left = MAX_EXECUTOR_BYTES;
  const end = names.findIndex((name) => {
    left -= Buffer.byteLength(name) + ENTRY_BYTES;
    return left < 0;
  });
  return end < 0 ? names : names.slice(0, end);
}

function byExecutorId(a: PodView, b: PodView): number {
  return a.executorId! - b.executorId! || (a.metadata.name < b.metadata.name ? -1 : 1);
}

function stateOfPresent(recorded: ExecutorState | undefined, pod: PodView, state: ApplicationState): ExecutorState {
  const seen = podState(pod);
  // This also applies to a recorded failure: the end of the container can be seen before its
  // deletion.
  if (seen === ExecutorState.FAILED && wasStopped(pod)) return stateOfGone(state);
  if (recorded && isFinal(recorded)) return recorded;
  return ended(state) && !isFinal(seen) ? stateOfGone(state) : seen;
}

/**
 * Whether an executor has certainly failed. After SIGTERM, the Pod's deletion might not be visible
 * yet.
 */
export function hasFailed(pod: PodView): boolean {
  const isTerminating = pod.terminated?.exitCode === SIGTERM && !pod.reason;
  return podState(pod) === ExecutorState.FAILED && !isTerminating && !wasStopped(pod);
}

/**
 * Whether the executor was stopped, rather than failed. Spark deletes executors that it no longer
 * needs: the signal terminates their JVM, which Kubernetes treats as a failure. A deletion by
 * another client looks the same, and Spark continues without the executor. An eviction or a lost
 * node sets a reason in the pod.
 */
function wasStopped({ metadata, terminated, reason }: PodView): boolean {
  if (metadata.deletionTimestamp === undefined || reason) return false;
  return !terminated || terminated.exitCode === SIGTERM || isKilledByDeletion(terminated, metadata.deletionTimestamp);
}

/** Milliseconds by which the clocks of a node and of the API server differ at most here. */
const CLOCK_DIFFERENCE = 10_000;

/**
 * Whether the kubelet killed a container that had not ended within its grace period. The end of
 * that period is the time of the deletion; one that ended earlier was killed by something else.
 */
function isKilledByDeletion({ exitCode, reason, finishedAt }: ContainerEnd, deletion: string): boolean {
  return exitCode === SIGKILL && reason !== 'OOMKilled' && !(Date.parse(finishedAt ?? '') < Date.parse(deletion) - CLOCK_DIFFERENCE);
}

function isFinal(state: ExecutorState): boolean {
  return state === ExecutorState.COMPLETED || state === ExecutorState.FAILED;
}

function ended(state: ApplicationState): boolean {
  return stateOfGone(state) !== ExecutorState.UNKNOWN;
}

function stateOfGone(state: ApplicationState): ExecutorState {
  switch (state) {
    case ApplicationState.SUCCEEDING:
    case ApplicationState.COMPLETED:
      return ExecutorState.COMPLETED;
    case ApplicationState.FAILING:
    case ApplicationState.FAILED:
      return ExecutorState.FAILED;
    default:
      return ExecutorState.UNKNOWN;
  }
}
