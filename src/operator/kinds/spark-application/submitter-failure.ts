import type { SubmissionFailure } from '../../driver/submission-failure';
import { startObstacle } from '../../driver/start-obstacle';
import type { PodView } from '../../../model/pod-view';
import { seconds } from '../../../text/times';

/**
 * Milliseconds after its deadline when the operator reports a Pod that still runs: its node does
 * not answer.
 */
const UNREACHABLE = 60_000;

/**
 * Returns the failure of a submission whose Pod for spark-submit does not start, or does not end at
 * its deadline. Pure.
 *
 * @param timeout deadline of the Pod, in milliseconds
 */
export function submitterFailure(pod: PodView, timeout: number, now: number): SubmissionFailure | undefined {
  const { obstacle, text } = pod.phase === 'Pending' ? startObstacle(pod, now) : {};
  if (obstacle) return { reason: `spark-submit does not start: ${text}`, kind: obstacle.passes ? 'passing' : 'lasting' };
  if (pod.startTime === undefined || Date.parse(pod.startTime) + timeout + UNREACHABLE > now) return undefined;
  return {
    reason: `Pod ${pod.metadata.name} runs for longer than its deadline of ${seconds(timeout)}; its node might be unreachable`,
    kind: 'lasting',
  };
}
