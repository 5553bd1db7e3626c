import type { PodView } from '../../model/pod-view';

/**
 * Returns the reason why a pod has ended, for the status: exit code, reason and message of Spark's
 * container or of an init container, and what happened to the pod.
 *
 * @param role Spark's role of the pod
 * @param verb how its container is said to have ended
 */
export function causeOfEnd(pod: PodView, role: 'driver' | 'server', verb: 'failed' | 'ended'): string {
  const { terminated, init, metadata: { deletionTimestamp } } = pod;
  if (!terminated && init?.terminated) {
    const { exitCode, reason = 'Error', message } = init.terminated;
    return join(`init container ${init.name} failed with ExitCode: ${exitCode}, Reason: ${reason}`, pod.reason, message);
  }
  if (!terminated) return pod.reason ?? `${role} container status missing`;
  const { exitCode, reason = exitCode === 0 ? 'Completed' : 'Error', message } = terminated;
  return join(
    `${role} container ${verb} with ExitCode: ${exitCode}, Reason: ${reason}`,
    deletionTimestamp && 'its pod was deleted', pod.reason, message,
  );
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('; ');
}
