import { LABEL_SPARK_ROLE } from '../api/labels';
import { exitMeaning, isAmbiguous } from '../model/cause/exit-code';
import { exceededLimit } from '../model/cause/memory';
import { obstacleText } from '../model/cause/obstacle-text';
import { reasonWithMessage } from '../model/obstacle';
import type { ContainerEnd, PodView } from '../model/pod-view';

/** Returns why a pod does not start, or how it ended; empty for one that runs. */
export function podReason(pod: PodView): string {
  const { obstacle, reason, terminated, unseenBy } = pod;
  if (obstacle) return obstacleText(reasonWithMessage(obstacle));
  if (terminated) return endText(pod, terminated);
  return reason ?? (unseenBy ? `the scheduler ${unseenBy} has not processed it yet` : '');
}

/**
 * Returns how a container ended, such as `OOMKilled, exit code 137: it exceeded its memory limit of
 * 1408Mi`.
 */
function endText(
  { reason: ofPod, metadata: { labels } }: PodView, { exitCode, reason, message, memoryLimit }: ContainerEnd,
): string {
  if (exitCode === 0) return reason === undefined || reason === 'Completed' ? 'Completed' : `${reason}, exit code 0`;
  const role = labels?.[LABEL_SPARK_ROLE] === 'executor' ? 'executor' : 'driver';
  const code = [reason === 'Error' ? undefined : reason, `exit code ${exitCode}`].filter(Boolean).join(', ');
  const meaning = role === 'driver' && isAmbiguous(exitCode) ? undefined : exitMeaning(exitCode, role);
  const why = reason === 'OOMKilled' ? exceededLimit('it', memoryLimit, role) : ofPod ?? message ?? meaning;
  return why ? `${code}: ${why}` : code;
}
