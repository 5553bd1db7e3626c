import { ApplicationState, ExecutorState } from '../../api/states';
import { podState, type PodView } from '../driver/pod-view';

/** Exit codes of a process that a signal ended. */
const [SIGTERM, SIGKILL] = [143, 137];

/**
 * The record of executors in the status: the pods that exist now, and what became of those recorded before.
 *
 * An executor whose pod is gone keeps its final state if it had one. Otherwise the application's end decides: Spark deletes executors as soon
 * as it needs them no more, so that with a successful application they count as completed, with a failed one as failed.
 *
 * @param limit executors with a higher number than this are not recorded, so that the status of a long-running application stays small
 */
export function executorStates(
  before: Readonly<Record<string, ExecutorState>>, pods: readonly PodView[], state: ApplicationState, limit: number,
): Record<string, ExecutorState> {
  const now: Record<string, ExecutorState> = {};
  for (const [name, recorded] of Object.entries(before)) now[name] = isFinal(recorded) ? recorded : stateOfGone(state);
  for (const pod of pods) {
    if (pod.executorId !== undefined && pod.executorId <= limit) now[pod.metadata.name] = stateOfPresent(before[pod.metadata.name], pod, state);
  }
  return now;
}

function stateOfPresent(recorded: ExecutorState | undefined, pod: PodView, state: ApplicationState): ExecutorState {
  const seen = podState(pod);
  // Also when it was recorded as failed: the end of its container may be seen before its deletion.
  if (seen === ExecutorState.FAILED && wasStopped(pod)) return stateOfGone(state);
  if (recorded && isFinal(recorded)) return recorded;
  return ended(state) && !isFinal(seen) ? stateOfGone(state) : seen;
}

/**
 * Spark deletes executors that it needs no more: the signal ends their JVM, which Kubernetes takes for a failure. Somebody else's deletion looks the
 * same, and Spark carries on without the executor; an eviction or a lost node has a reason in the pod.
 */
function wasStopped({ metadata, terminated, reason }: PodView): boolean {
  if (metadata.deletionTimestamp === undefined || reason) return false;
  return !terminated || terminated.exitCode === SIGTERM || (terminated.exitCode === SIGKILL && terminated.reason !== 'OOMKilled');
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
