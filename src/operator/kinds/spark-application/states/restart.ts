import type { SparkApplicationStatus } from '../../../../api/spark-application-status';
import { ApplicationState } from '../../../../api/states';
import type { PodView } from '../../../../model/pod-view';
import { untilReleased } from '../../../../model/kueue';
import { normal } from '../../../user-event';
import type { Context, Observation } from '../decision';
import { stateOf, type SparkApplication } from '../../../../model/spark-application';
import { isSpecChanged } from '../spec-change';
import type { Step } from '../step';
import { removal } from './removal';

/**
 * Returns the step that a user requests in any state: to suspend the application, or to run its
 * changed specification.
 */
export function interruption({ application }: Observation, { settings }: Context): Step | undefined {
  const state = stateOf(application);
  const { name } = application.metadata;
  if (application.spec.suspend && !NOT_TO_BE_SUSPENDED.has(state)) {
    return entering(application, ApplicationState.SUSPENDING, normal(
      'SparkApplicationSuspending', 'Suspend', `SparkApplication ${name} is being suspended`,
    ));
  }
  // A suspended application resumes with the specification of that time.
  const isSuspended = state === ApplicationState.SUSPENDING || state === ApplicationState.SUSPENDED;
  if (!isSuspended && isSpecChanged(application, settings.partialRestart)) {
    return entering(application, ApplicationState.INVALIDATING, normal(
      'SparkApplicationSpecChanged',
      'Restart',
      `The specification of SparkApplication ${name} has changed: the operator removes the objects of the previous one, and runs it again`,
    ));
  }
  return undefined;
}

const NOT_TO_BE_SUSPENDED: ReadonlySet<ApplicationState> = new Set([
  ApplicationState.COMPLETED, ApplicationState.FAILED, ApplicationState.SUSPENDING, ApplicationState.SUSPENDED,
]);

/**
 * Runs the application again. The operator first removes the objects of the attempt; then the next
 * attempt begins. The status keeps SUBMISSION_FAILED until a submission succeeds; see `stateOf`.
 */
export function restarting(application: SparkApplication, because: string): Step {
  const state = stateOf(application) === ApplicationState.SUBMISSION_FAILED
    ? ApplicationState.SUBMISSION_FAILED
    : ApplicationState.PENDING_RERUN;
  return rerunning(application, state, normal(
    'SparkApplicationPendingRerun', 'Restart', `SparkApplication ${application.metadata.name} runs again: ${because}`,
  ));
}

/**
 * Returns the step that runs the application again. An attempt without the time of its start in the
 * status is one that the operator has to remove.
 */
function rerunning(application: SparkApplication, state: ApplicationState, event: ReturnType<typeof normal>): Step {
  const { status, ...step } = entering(application, state, event);
  const { lastSubmissionAttemptTime: _, ...ended } = status!;
  return { ...step, status: ended };
}

/**
 * Adopts a driver that exists although the status reports a failed submission: the next attempt is
 * that driver's.
 */
export function adopting(application: SparkApplication, { metadata }: PodView): Step {
  const { name } = application.metadata;
  return rerunning(application, ApplicationState.PENDING_RERUN, normal(
    'SparkApplicationAdopted',
    'Restart',
    `SparkApplication ${name} continues with driver ${metadata.name}, which another operator has created`,
  ));
}

/** Removes the objects of the previous specification, and resets the attempt counters. */
export function invalidate(observation: Observation, { now }: Context): Step {
  const left = removal(observation, now);
  if (left) return left;
  const status = withoutAttempts(observation.application.status!);
  return { status: { ...status, applicationState: { state: ApplicationState.PENDING_RERUN } }, again: true };
}

/**
 * Removes the objects of an application that is to be suspended. A suspension is no failure, and
 * the application can resume with another specification: so the attempt counters are reset.
 */
export function suspend(observation: Observation, { now }: Context): Step {
  const left = removal(observation, now);
  if (left) return left;
  const { application } = observation;
  return {
    status: { ...withoutAttempts(application.status!), applicationState: { state: ApplicationState.SUSPENDED } },
    events: [
      normal(
        'SparkApplicationSuspended',
        'Suspend',
        `SparkApplication ${application.metadata.name} is suspended: nothing of it runs until ${untilReleased(application.metadata)}`,
      ),
    ],
    again: true,
  };
}

/** Waits until the user resumes the application. */
export function rest({ application }: Observation): Step {
  if (application.spec.suspend) return { requeueAfter: null };
  return {
    status: { ...application.status!, applicationState: { state: ApplicationState.RESUMING } },
    events: [normal('SparkApplicationResuming', 'Resume', `SparkApplication ${application.metadata.name} resumes`)],
    again: true,
  };
}

/**
 * Returns the step into a state that ends the attempt. Fields that locate the attempt's objects
 * stay in the status until these are removed. The hash of the specification is removed, so that the
 * operator does not look for changes of it.
 */
function entering(application: SparkApplication, state: ApplicationState, event: ReturnType<typeof normal>): Step {
  const {
    sparkApplicationId: _, terminationTime: __, executorState: ___, specHash: ____, deadlineTime: _____, driverInfo, ...status
  } = application.status ?? { driverInfo: {} };
  return {
    status: { ...status, driverInfo: driverInfo.podName === undefined ? {} : { podName: driverInfo.podName }, applicationState: { state } },
    events: [event],
    again: true,
  };
}

/** Returns the status without any attempts. */
function withoutAttempts(
  { submissionID: _, submissionAttempts: __, executionAttempts: ___, ...status }: SparkApplicationStatus,
): SparkApplicationStatus {
  return { ...status, driverInfo: {} };
}
