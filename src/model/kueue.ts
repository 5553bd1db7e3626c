import type { ObjectMeta } from '../kube/objects';

/**
 * What Kueue and the operator share. Kueue lets applications go on, and holds them, by `spec.suspend`; it needs nothing else of the operator.
 */

/** Labels of the application with this prefix are Kueue's own and stay with the application: a pod with the name of a queue would be queued as well. */
export const KUEUE_PREFIX = 'kueue.x-k8s.io/';

/** The queue that an application waits in. */
export const QUEUE_NAME = `${KUEUE_PREFIX}queue-name`;

/** What a suspended application waits for, as the end of a sentence that begins with `until`. */
export function untilLetGoOn({ labels }: ObjectMeta): string {
  const queue = labels?.[QUEUE_NAME];
  return queue ? `spec.suspend is false (Kueue sets it for queue ${queue})` : 'spec.suspend is false';
}
