import { ApplicationState } from '../../api/states';
import type { Context, Hindrance, Observation, Settings } from './decision';
import { stateOf, type SparkApplication } from './model';
import type { Obstacle, PodView } from './pod-view';
import { untilLook } from './preparation';
import { failing, rfc3339, seconds, warning, type Step } from './step';

/** How long a scheduler may take to look at a pod, and a node to prepare it, until users are told that it takes long. */
const PREPARATION = 60_000;
/** The pauses between tries to create a driver: they grow with the time that was waited already. */
const [MIN_PAUSE, MAX_PAUSE] = [1_000, 30_000];

/** A driver that cannot be created: it is tried again until the deadline, unless that makes no sense. The reason is in the status meanwhile. */
export function waitForCreation({ application, stuckSince }: Observation, { reason, kind, retryWithin = MAX_PAUSE }: Hindrance, now: number, settings: Settings): Step {
  const status = application.status!;
  const left = (stuckSince ?? now) + settings.driverStartTimeout - now;
  if (kind === 'final' || (kind === 'lasting' && left <= 0)) {
    const cause = kind === 'final' ? reason : `${reason} (waited ${seconds(settings.driverStartTimeout)} for it)`;
    return {
      status: { ...status, terminationTime: rfc3339(now), applicationState: { state: ApplicationState.SUBMISSION_FAILED, errorMessage: cause } },
      events: [warning('SparkApplicationSubmissionFailed', 'Submit', `SparkApplication ${application.metadata.name} could not be submitted: ${cause}`)],
      goOn: true,
    };
  }
  const message = `driver cannot be created yet: ${reason}`;
  const isNews = !sameButForNumbers(status.applicationState?.errorMessage, message);
  const waited = now - (stuckSince ?? Date.parse(status.lastSubmissionAttemptTime ?? rfc3339(now)));
  const pause = pauseAfter(waited, retryWithin);
  return {
    status: isNews ? { ...status, applicationState: { state: stateOf(application), errorMessage: message } } : undefined,
    events: isNews ? [warning('SparkDriverPending', 'Submit', `The driver of SparkApplication ${application.metadata.name} cannot be created yet: ${reason}`)] : [],
    requeueAfter: kind === 'lasting' ? Math.min(pause, left) : pause,
  };
}

/** Milliseconds until what could not be created is tried again: they grow with what was waited already. */
export function pauseAfter(waited: number, limit: number = MAX_PAUSE): number {
  return Math.min(Math.max(waited / 4, MIN_PAUSE), limit);
}

/** A driver that does not start: the reason goes into the status at once; what cannot pass by itself ends the application after a while. */
export function waitForStart(application: SparkApplication, pod: PodView, stuckSince: number | undefined, { now, settings }: Context): Step {
  const status = application.status!;
  const { obstacle, text, prepared } = hindranceToStart(pod, now);
  const message = text && `driver does not start: ${text}`;
  const left = obstacle && !obstacle.passes ? (stuckSince ?? now) + settings.driverStartTimeout - now : undefined;
  if (left !== undefined && left <= 0) return failing(application, now, `${message} (waited ${seconds(settings.driverStartTimeout)} for it)`, 'SparkDriverFailed');

  const current = status.applicationState;
  const changed = current?.state !== ApplicationState.SUBMITTED || !sameButForNumbers(current.errorMessage, message);
  return {
    status: changed ? { ...status, applicationState: { state: ApplicationState.SUBMITTED, ...(message && { errorMessage: message }) } } : undefined,
    events: obstacle && !sameObstacle(current?.errorMessage, obstacle.reason)
      ? [warning('SparkDriverPending', 'Start', `Driver ${pod.metadata.name} does not start: ${text}`)]
      : [],
    requeueAfter: leastOf(left, obstacle ? Infinity : prepared, untilLook(pod, now)),
  };
}

/** What keeps a pod from starting, if anything does. */
export interface HindranceToStart {
  readonly obstacle?: Obstacle;
  /** The obstacle for people. */
  readonly text?: string;
  /** Milliseconds until its preparation counts as slow; Infinity if nobody has begun with it. */
  readonly prepared: number;
}

/** What keeps a pod from starting: what Kubernetes says, or that it takes long. */
export function hindranceToStart(pod: PodView, now: number): HindranceToStart {
  const begin = Date.parse(pod.startTime ?? (pod.unseenBy && pod.metadata.creationTimestamp) ?? '');
  const prepared = Number.isNaN(begin) ? Infinity : begin + PREPARATION - now;
  const obstacle = pod.obstacle ?? (prepared <= 0 ? slowness(pod) : undefined);
  return obstacle ? { obstacle, text: `${obstacle.reason}${obstacle.message ? `: ${obstacle.message}` : ''}`, prepared } : { prepared };
}

/** The least of some waits; undefined if there is none. */
export function leastOf(...waits: readonly (number | undefined)[]): number | undefined {
  const least = Math.min(...waits.filter((wait) => wait !== undefined));
  return least === Infinity ? undefined : least;
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

/** Ports, durations and amounts in a message change with every try: they are not worth a write or an event. */
export function sameButForNumbers(a: string | undefined, b: string | undefined): boolean {
  return a?.replace(/\d+/g, '0') === b?.replace(/\d+/g, '0');
}

/** The wording of an obstacle changes with every try of the kubelet; one event for each kind of obstacle is enough. */
function sameObstacle(message: string | undefined, reason: string): boolean {
  return message?.startsWith(`driver does not start: ${reason}`) ?? false;
}
