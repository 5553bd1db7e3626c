import { ApplicationState } from '../api/states';
import { needsUserAction } from '../model/obstacle';
import type { PodView } from '../model/pod-view';
import { isBeginning, stateOf, type WholeApplication } from '../model/spark-application';
import { shortDuration } from '../text/duration';
import { statusTime } from './unattended';

/** Facts about a driver that is not created or does not start. */
export interface WaitingDriver {
  readonly application: WholeApplication;
  /** The driver's Pod. @default - not read, or it does not exist */
  readonly driver?: PodView;
  /** Milliseconds for which the operator waits for something that needs user action. */
  readonly startTimeout: number;
  /**
   * Start of the operator that waits, in milliseconds since 1970: after a restart it waits anew.
   *
   * @default - before the application
   */
  readonly operatorSince?: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Failures to create a driver that pass without user action, so that the operator keeps trying:
 * also an unusable ConfigMap of defaults, and an API server that spark-submit cannot use.
 */
const PASSING = new RegExp([
  "exceeded quota|the operator's webhook for pods", '^ConfigMap [^ /]+/[^ ]+(?:,| cannot be)',
  'the API server (?:answered (?:409|429|50[234]) |is out of reach)',
].join('|'));

/** The operator's texts about a driver that is not created or does not start. */
const [NOT_CREATED, NOT_STARTED] = ['driver cannot be created yet: ', 'does not start: '];

/** Whether the operator cannot create the driver of the current attempt yet. */
export function isNotCreated(application: Pick<WholeApplication, 'status'>): boolean {
  return isBeginning(application) && application.status?.applicationState?.errorMessage?.startsWith(NOT_CREATED) === true;
}

/**
 * Returns when the operator gives up on a driver that is not created or does not start, as a
 * clause; undefined if it does not wait, or that is unknown.
 *
 * The time starts with the operator's first observation of the obstacle, which only it knows. It is
 * estimated by the start of the attempt.
 */
export function giveUpText(waiting: WaitingDriver): string | undefined {
  const needsAction = isForUser(waiting);
  if (needsAction === undefined) return undefined;
  const { application: { status }, startTimeout, now } = waiting;
  const deadline = Date.parse(status?.deadlineTime ?? '');
  const untilDeadline = Number.isNaN(deadline) ? undefined : deadline - now;
  const untilGivenUp = needsAction ? beginOf(waiting) + startTimeout - now : Infinity;
  if (untilDeadline !== undefined && untilDeadline < untilGivenUp) {
    return `its activeDeadlineSeconds end ${untilDeadline > 0 ? `in ${shortDuration(untilDeadline)}` : 'now'}`;
  }
  if (!needsAction) return 'the operator waits without a limit';
  return `the operator gives up ${untilGivenUp >= 1_000 ? `in about ${shortDuration(untilGivenUp)}` : 'soon'}`
    + ` (--driver-start-timeout=${shortDuration(startTimeout)})`;
}

/** Whether the operator waits for a driver that is not created or does not start. */
export function isAwaited(driver: Pick<WaitingDriver, 'application' | 'driver'>): boolean {
  return isForUser(driver) !== undefined;
}

/** Whether the operator waits for a driver that needs user action, and gives up on it later. */
export function waitsForUser(driver: Pick<WaitingDriver, 'application' | 'driver'>): boolean {
  return isForUser(driver) === true;
}

/** Whether the driver waits for something that needs user action; undefined if unknown. */
function isForUser({ application, driver }: Pick<WaitingDriver, 'application' | 'driver'>): boolean | undefined {
  const message = application.status?.applicationState?.errorMessage ?? '';
  const obstacle = driver?.obstacle;
  if (stateOf(application) !== ApplicationState.SUBMITTED) {
    return isNotCreated(application) ? isLasting(message.slice(NOT_CREATED.length)) : undefined;
  }
  if (obstacle) return !obstacle.passes;
  return message.includes(NOT_STARTED) ? isStuck(message) : undefined;
}

function isLasting(reason: string): boolean {
  return reason.includes(NOT_STARTED) ? isStuck(reason) : !PASSING.test(reason);
}

/** Whether a reason such as `ImagePullBackOff: …` after the operator's words needs user action. */
function isStuck(message: string): boolean {
  const [reason, ...rest] = message.slice(message.indexOf(NOT_STARTED) + NOT_STARTED.length).split(': ');
  return needsUserAction(reason!, rest.join(': '));
}

/** Returns when the operator might have observed the obstacle first. */
function beginOf({ application, driver, operatorSince, now }: WaitingDriver): number {
  const { lastSubmissionAttemptTime } = application.status ?? {};
  // The node's clock can be ahead.
  const times = [lastSubmissionAttemptTime, driver?.startTime].map((time) => Date.parse(time ?? '')).filter((time) => time <= now);
  return Math.max(...times, operatorSince ?? -Infinity, times.length === 0 ? statusTime(application) ?? now : -Infinity);
}
