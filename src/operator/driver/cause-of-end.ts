import { exitMeaning } from '../../model/cause/exit-code';
import { exceededLimit, withMemory, type MemorySpec } from '../../model/cause/memory';
import { POD_DELETED } from '../../model/last-driver';
import type { ContainerEnd, PodView } from '../../model/pod-view';

/**
 * Returns the reason why a pod has ended, for the status: exit code and reason of Spark's container
 * or of an init container, what happened to the pod, and the cause in one line.
 *
 * @param role Spark's role of the pod
 * @param verb verb for the end of its container
 * @param spec the complete specification of the application @default - the cause does not quote it
 */
export function causeOfEnd(pod: PodView, role: 'driver' | 'server', verb: 'failed' | 'ended', spec?: MemorySpec): string {
  const { terminated, init, metadata: { deletionTimestamp } } = pod;
  if (!terminated && init?.terminated) {
    const { exitCode, reason = 'Error', message } = init.terminated;
    const cause = reason === 'OOMKilled' ? exceededLimit(`the init container ${init.name}`, undefined, 'driver') : message;
    return join(`init container ${init.name} failed with ExitCode: ${exitCode}, Reason: ${reason}`, pod.reason, cause);
  }
  if (!terminated) return pod.reason ?? `${role} container status missing`;
  const { exitCode, reason = exitCode === 0 ? 'Completed' : 'Error' } = terminated;
  const ofPod = join(deletionTimestamp && POD_DELETED, pod.reason);
  return join(
    `${role} container ${verb} with ExitCode: ${exitCode}, Reason: ${reason}`,
    ofPod, causeOf(terminated, role, spec) ?? (ofPod ? undefined : exitMeaning(exitCode, role)),
  );
}

function causeOf(
  { reason, message, memoryLimit }: ContainerEnd, role: 'driver' | 'server', spec: MemorySpec | undefined,
): string | undefined {
  if (reason === 'OOMKilled') return exceededLimit(`the ${role}'s container`, memoryLimit, 'driver', spec);
  return message === undefined ? undefined : withMemory(message, spec);
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('; ');
}
