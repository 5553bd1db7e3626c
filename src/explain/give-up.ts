import { ApplicationState } from '../api/states';
import { needsUserAction } from '../model/obstacle';
import type { PodView } from '../model/pod-view';
import { isBeginning, stateOf, type WholeApplication } from '../model/spark-application';
import { shortDuration } from '../text/duration';

/** Driver that might not be created or started. */
export interface AwaitedDriver {
  readonly application: WholeApplication;
  /** The driver's Pod. @default - not read, or it does not exist */
  readonly driver?: PodView;
}

/** The operator's texts about a driver that is not created or does not start. */
const [NOT_CREATED, NOT_STARTED] = ['driver cannot be created yet: ', 'does not start: '];

/** Whether the operator cannot create the driver of the current attempt yet. */
export function isNotCreated(application: Pick<WholeApplication, 'status'>): boolean {
  return isBeginning(application) && application.status?.applicationState?.errorMessage?.startsWith(NOT_CREATED) === true;
}

/** Whether the operator waits for a driver that needs user action, and gives up on it later. */
export function waitsForUser(awaited: AwaitedDriver): boolean {
  return passes(awaited) === false;
}

/**
 * Returns when the operator gives up on a driver that is not created or does not start, as a
 * clause; undefined if it does not wait, or that is unknown.
 *
 * @param now milliseconds since 1970
 */
export function giveUpText(awaited: AwaitedDriver, now: number): string | undefined {
  const isPassing = passes(awaited);
  const { deadlineTime, startDeadlineTime } = awaited.application.status ?? {};
  if (isPassing === undefined || (!isPassing && startDeadlineTime === undefined)) return undefined;
  const [untilDeadline, untilGivenUp] = [deadlineTime, isPassing ? undefined : startDeadlineTime]
    .map((time) => (time === undefined ? Infinity : Date.parse(time) - now)) as [number, number];
  if (untilDeadline < untilGivenUp) return `its activeDeadlineSeconds end ${untilDeadline > 0 ? `in ${shortDuration(untilDeadline)}` : 'now'}`;
  return isPassing ? 'the operator waits without a limit' : `the operator gives up ${inTime(untilGivenUp)}`;
}

/** Returns a time of the operator for users, with the flag that determines it. */
export function inTime(left: number): string {
  return `${left >= 1_000 ? `in ${shortDuration(left)}` : 'soon'} (--driver-start-timeout)`;
}

/** Whether what a driver waits for can come by itself; undefined if it is unknown or runs. */
function passes({ application, driver }: AwaitedDriver): boolean | undefined {
  const { startDeadlineTime, applicationState } = application.status ?? {};
  const isSubmitted = stateOf(application) === ApplicationState.SUBMITTED;
  if (isSubmitted && driver?.obstacle) return driver.obstacle.passes;
  const [, reason] = (applicationState?.errorMessage ?? '').split(NOT_STARTED);
  if (isSubmitted ? reason === undefined : !isNotCreated(application)) return undefined;
  if (startDeadlineTime !== undefined) return false;
  // The status of an older operator or CRD has no deadline.
  return reason !== undefined && !isLasting(reason) ? true : undefined;
}

/** Whether an obstacle such as `ImagePullBackOff: …` needs user action. */
function isLasting(obstacle: string): boolean {
  const [reason, ...message] = obstacle.split(': ');
  return needsUserAction(reason!, message.join(': '));
}
