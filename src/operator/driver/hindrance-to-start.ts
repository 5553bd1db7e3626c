import type { Obstacle, PodView } from '../../model/pod-view';
import { seconds } from '../../text/times';

/** How long a scheduler may take to look at a pod, and a node to prepare it, until users are told that it takes long. */
const PREPARATION = 60_000;

/** What keeps a pod from starting, if anything does. */
export interface StartObstacle {
  readonly obstacle?: Obstacle;
  /** The obstacle for people. */
  readonly text?: string;
  /** Milliseconds until its preparation counts as slow; Infinity if nobody has begun with it. */
  readonly prepared: number;
}

/** What keeps a pod from starting: what Kubernetes says, or that it takes long. */
export function startObstacle(pod: PodView, now: number): StartObstacle {
  const begin = Date.parse(pod.startTime ?? (pod.unseenBy && pod.metadata.creationTimestamp) ?? '');
  const prepared = Number.isNaN(begin) ? Infinity : begin + PREPARATION - now;
  const obstacle = pod.obstacle ?? (prepared <= 0 ? slowness(pod) : undefined);
  return obstacle ? { obstacle, text: `${obstacle.reason}${obstacle.message ? `: ${obstacle.message}` : ''}`, prepared } : { prepared };
}

/** The kubelet says `ContainerCreating` for a pull, too, and for what it does not write an event about. */
function slowness(pod: PodView): Obstacle {
  if (pod.unseenBy) {
    return { reason: 'Unscheduled', message: `the scheduler ${pod.unseenBy} has not looked at it for more than ${seconds(PREPARATION)}; there may be none of that name`, passes: true };
  }
  if (pod.init) return { reason: 'PodInitializing', message: `its init container ${pod.init.name} has been running for more than ${seconds(PREPARATION)}`, passes: true };
  return {
    reason: 'ContainerCreating',
    message: `its node has been preparing it for more than ${seconds(PREPARATION)}; the events of pod ${pod.metadata.name} tell what it waits for`,
    passes: true,
  };
}
