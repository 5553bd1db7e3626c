import type { Obstacle, PodView } from '../../model/pod-view';
import { seconds } from '../../text/times';

/**
 * Time for a scheduler to process a pod, and for a node to prepare it, after which the status
 * reports the delay.
 */
const PREPARATION = 60_000;

/** Obstacle that prevents a pod from starting, if there is one. */
export interface StartObstacle {
  readonly obstacle?: Obstacle;
  /** Text of the obstacle for users. */
  readonly text?: string;
  /** Milliseconds until its preparation is reported as slow; Infinity if it has not begun. */
  readonly prepared: number;
}

/**
 * Returns the obstacle that prevents a pod from starting: Kubernetes' reason, or a long
 * preparation.
 */
export function startObstacle(pod: PodView, now: number): StartObstacle {
  const begin = Date.parse(pod.startTime ?? (pod.unseenBy && pod.metadata.creationTimestamp) ?? '');
  const prepared = Number.isNaN(begin) ? Infinity : begin + PREPARATION - now;
  const obstacle = pod.obstacle ?? (prepared <= 0 ? slowness(pod) : undefined);
  return obstacle ? { obstacle, text: `${obstacle.reason}${obstacle.message ? `: ${obstacle.message}` : ''}`, prepared } : { prepared };
}

/**
 * Returns the obstacle of a slow preparation. The kubelet's reason `ContainerCreating` includes
 * image pulls, and steps without events.
 */
function slowness(pod: PodView): Obstacle {
  if (pod.unseenBy) {
    return {
      reason: 'Unscheduled',
      message: `the scheduler ${pod.unseenBy} has not processed it for more than ${seconds(PREPARATION)}; check whether a scheduler with `
        + 'this name exists',
      passes: true,
    };
  }
  if (pod.init) {
    return {
      reason: 'PodInitializing',
      message: `its init container ${pod.init.name} has been running for more than ${seconds(PREPARATION)}`, passes: true,
    };
  }
  return {
    reason: 'ContainerCreating',
    message: `its node has been preparing it for more than ${seconds(PREPARATION)}; `
      + `check the events of pod ${pod.metadata.name} for the reason`,
    passes: true,
  };
}
