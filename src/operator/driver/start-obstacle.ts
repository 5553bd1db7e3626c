import { obstacleText } from '../../model/cause/obstacle-text';
import { reasonWithMessage } from '../../model/obstacle';
import type { Obstacle, PodView } from '../../model/pod-view';
import { seconds } from '../../text/times';
import { sameButForNumbers, withoutNumbers } from './submission-failure';

/**
 * Time for a scheduler to process a pod, and for a node to prepare it, after which the status
 * reports the delay.
 */
const PREPARATION = 60_000;

/** The operator's words before the text of an obstacle, in a status. */
const [NOT_STARTED, PULL] = [/^(?:the server |driver )does not start: /, 'ErrImagePull'];

/** Obstacle that prevents a pod from starting, if there is one. */
export interface StartObstacle {
  readonly obstacle?: Obstacle;
  /** Reason and message of Kubernetes, for the status. */
  readonly text?: string;
  /** The same in fewer words, for events. */
  readonly note?: string;
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
  if (!obstacle) return { prepared };
  const text = reasonWithMessage(obstacle);
  return { obstacle, text, note: obstacleText(text), prepared };
}

/**
 * Whether a status has the message already. It is not written again for other numbers, nor for a
 * failed pull that it quotes: the kubelet alternates between the pull and its backoff.
 */
export function hasMessage(before: string | undefined, message: string | undefined): boolean {
  const text = message?.replace(NOT_STARTED, '') ?? '';
  const isQuoted = text.startsWith(`${PULL}: `) && before !== undefined && NOT_STARTED.test(before)
    && withoutNumbers(before).includes(withoutNumbers(text));
  return isQuoted || sameButForNumbers(before, message);
}

/**
 * Whether the message of a status reports this kind of obstacle, so that an event has reported it.
 * The kubelet's message changes with every try; one event for each kind is enough.
 */
export function reports(message: string | undefined, { reason }: Obstacle): boolean {
  if (message === undefined || !NOT_STARTED.test(message)) return false;
  const known = message.replace(NOT_STARTED, '').split(':', 1)[0]!;
  return kindOf(known) === kindOf(reason);
}

function kindOf(reason: string): string {
  return reason === PULL ? 'ImagePullBackOff' : reason;
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
