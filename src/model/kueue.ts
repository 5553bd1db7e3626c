import type { ObjectMeta } from '../kube/objects';

/** Interface to Kueue, which only suspends and resumes applications by `spec.suspend`. */

/**
 * Prefix of Kueue's labels. The operator does not copy them to pods: Kueue would also queue a pod
 * that has the label of a queue.
 */
export const KUEUE_PREFIX = 'kueue.x-k8s.io/';

/** Label with the name of the application's queue. */
export const QUEUE_NAME = `${KUEUE_PREFIX}queue-name`;

/**
 * Returns the condition that resumes a suspended application, as the end of a sentence with
 * `until`.
 */
export function untilReleased({ labels }: ObjectMeta): string {
  const queue = labels?.[QUEUE_NAME];
  return queue ? `spec.suspend is false (Kueue sets it for queue ${queue})` : 'spec.suspend is false';
}
