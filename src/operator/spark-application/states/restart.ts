import type { SparkApplicationStatus } from '../../../api/spark-application-status';
import { ApplicationState } from '../../../api/states';
import type { PodView } from '../../../model/pod-view';
import { untilLetGoOn } from '../../../model/kueue';
import { normal } from '../../occurrence';
import type { Context, Observation } from '../decision';
import { stateOf, type SparkApplication } from '../../../model/spark-application';
import { isSpecChanged } from '../spec-change';
import type { Step } from '../step';
import { removal } from './removal';

/** What its user asks for while an application is in any state: to be suspended, or to be run as it is written by now. */
export function interruption({ application }: Observation): Step | undefined {
  const state = stateOf(application);
  const { name } = application.metadata;
  if (application.spec.suspend && !NOT_TO_BE_SUSPENDED.has(state)) {
    return entering(application, ApplicationState.SUSPENDING, normal('SparkApplicationSuspending', 'Suspend', `SparkApplication ${name} is being suspended`));
  }
  // A suspended application goes on with what is written then.
  if (state !== ApplicationState.SUSPENDING && state !== ApplicationState.SUSPENDED && isSpecChanged(application)) {
    return entering(application, ApplicationState.INVALIDATING, normal('SparkApplicationSpecChanged', 'Restart', `The specification of SparkApplication ${name} has changed: what was made for the one before is removed, and it is run again`));
  }
  return undefined;
}

const NOT_TO_BE_SUSPENDED: ReadonlySet<ApplicationState> = new Set([
  ApplicationState.COMPLETED, ApplicationState.FAILED, ApplicationState.SUSPENDING, ApplicationState.SUSPENDED,
]);

/** To be run again: what the attempt made goes first, and then the next begins. */
export function restarting(application: SparkApplication, because: string): Step {
  return rerunning(application, normal('SparkApplicationPendingRerun', 'Restart', `SparkApplication ${application.metadata.name} is run again: ${because}`));
}

/** Without the time of its begin the attempt in the status counts as one that is to be removed. */
function rerunning(application: SparkApplication, event: ReturnType<typeof normal>): Step {
  const { status, ...step } = entering(application, ApplicationState.PENDING_RERUN, event);
  const { lastSubmissionAttemptTime: _, ...ended } = status!;
  return { ...step, status: ended };
}

/** There is a driver, although the status says that none could be created: the next attempt is that of the driver. */
export function takingUp(application: SparkApplication, { metadata }: PodView): Step {
  const { name } = application.metadata;
  return rerunning(application, normal('SparkApplicationTakenUp', 'Restart', `SparkApplication ${name} goes on with driver ${metadata.name}, which another operator has created`));
}

/** The specification has changed: what was made for the one before goes, and the attempts are counted anew. */
export function invalidate(observation: Observation, { now }: Context): Step {
  const left = removal(observation, now);
  if (left) return left;
  return { status: { ...withoutAttempts(observation.application.status!), applicationState: { state: ApplicationState.PENDING_RERUN } }, goOn: true };
}

/** To be suspended: what was made for it goes. It may be another specification that it goes on with, and to be held is no failure: the attempts are counted anew. */
export function suspend(observation: Observation, { now }: Context): Step {
  const left = removal(observation, now);
  if (left) return left;
  const { application } = observation;
  return {
    status: { ...withoutAttempts(application.status!), applicationState: { state: ApplicationState.SUSPENDED } },
    events: [normal('SparkApplicationSuspended', 'Suspend', `SparkApplication ${application.metadata.name} is suspended: nothing of it runs until ${untilLetGoOn(application.metadata)}`)],
    goOn: true,
  };
}

/** Suspended: until its user lets it go on. */
export function rest({ application }: Observation): Step {
  if (application.spec.suspend) return { requeueAfter: null };
  return {
    status: { ...application.status!, applicationState: { state: ApplicationState.RESUMING } },
    events: [normal('SparkApplicationResuming', 'Resume', `SparkApplication ${application.metadata.name} goes on`)],
    goOn: true,
  };
}

/**
 * The status of an application whose attempt is over. What is needed to find what was made for it stays until it is removed. Without the hash of its
 * specification a change of that is not looked for.
 */
function entering(application: SparkApplication, state: ApplicationState, event: ReturnType<typeof normal>): Step {
  const { sparkApplicationId: _, terminationTime: __, executorState: ___, specHash: ____, deadlineTime: _____, driverInfo, ...status } = application.status ?? { driverInfo: {} };
  return {
    status: { ...status, driverInfo: driverInfo.podName === undefined ? {} : { podName: driverInfo.podName }, applicationState: { state } },
    events: [event],
    goOn: true,
  };
}

/** The status when nothing is left of the attempts. */
function withoutAttempts({ submissionID: _, submissionAttempts: __, executionAttempts: ___, ...status }: SparkApplicationStatus): SparkApplicationStatus {
  return { ...status, driverInfo: {} };
}
