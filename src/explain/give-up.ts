import { ApplicationState } from '../api/states';
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
  if (isPassing === undefined) return undefined;
  const { deadlineTime, startDeadlineTime } = awaited.application.status ?? {};
  const [untilDeadline, untilGivenUp] = [deadlineTime, isPassing ? undefined : startDeadlineTime].map((time) => Date.parse(time ?? '') - now);
  if (Number.isFinite(untilDeadline) && !(untilGivenUp! <= untilDeadline!)) {
    return `its activeDeadlineSeconds end ${untilDeadline! > 0 ? `in ${shortDuration(untilDeadline!)}` : 'now'}`;
  }
  if (isPassing) return 'the operator waits without a limit';
  return Number.isFinite(untilGivenUp) ? `the operator gives up ${inTime(untilGivenUp!)}` : undefined;
}

/** Returns a time of the operator for users, with the flag that determines it. */
export function inTime(left: number): string {
  return `${left >= 1_000 ? `in ${shortDuration(left)}` : 'soon'} (--driver-start-timeout)`;
}

/** Whether what a driver waits for can come by itself; undefined if it is unknown or runs. */
function passes({ application, driver }: AwaitedDriver): boolean | undefined {
  const { startDeadlineTime, specHash, applicationState } = application.status ?? {};
  const isSubmitted = stateOf(application) === ApplicationState.SUBMITTED;
  if (isSubmitted && driver?.obstacle) return driver.obstacle.passes;
  const isWaiting = isSubmitted ? applicationState?.errorMessage?.includes(NOT_STARTED) : isNotCreated(application);
  if (!isWaiting) return undefined;
  if (startDeadlineTime !== undefined) return false;
  // An older CRD drops both fields.
  return specHash === undefined ? undefined : true;
}
