import { ApplicationState } from '../../../../api/states';
import { shortMessage } from '../../../../model/cause/status-cause';
import { hasEnded } from '../../../../model/pod-view';
import { normal, warning } from '../../../user-event';
import { rfc3339 } from '../../../../text/times';
import { governed, type Context, type Observation } from '../decision';
import type { SparkApplication } from '../../../../model/spark-application';
import { oversizedReason } from '../transform';
import { retryOf } from '../../../../model/restart-policy';
import type { Step } from '../step';
import { timeLeft } from '../ttl';
import { waitForDeletion } from './removal';
import { restarting, adopting } from './restart';

/** Step that requeues an application soon, when it cannot be decided now. */
const LATER: Step = { requeueAfter: 30_000 };

/** Runs a succeeding application again, or completes it. */
export function succeed(observation: Observation, { now }: Context): Step {
  const { application } = observation;
  if (observation.undecidable) return LATER;
  if (retryOf(governed(observation), now)) return restarting(application, 'it has completed, and its restart policy is Always');
  return {
    status: { ...application.status!, applicationState: { state: ApplicationState.COMPLETED } },
    events: [normal('SparkApplicationCompleted', 'Complete', `SparkApplication ${application.metadata.name} completed`)],
    again: true,
  };
}

/**
 * Deletes the driver of a failing application, whether it has started or not. Then the restart
 * policy decides.
 */
export function fail(observation: Observation, { now }: Context): Step {
  const { application, driver, cleanedUp } = observation;
  if (driver.kind === 'ours' && !hasEnded(driver.pod)) {
    return driver.pod.metadata.deletionTimestamp
      ? waitForDeletion(application, driver.pod, now)
      : { action: { kind: 'delete-driver', pod: driver.pod } };
  }
  if (observation.undecidable) return LATER;
  const retry = retryOf(governed(observation), now);
  if (retry) return again(application, retry.dueIn);
  // If the driver is gone, its other objects are deleted too.
  if (driver.kind !== 'ours' && !cleanedUp) return { action: { kind: 'clean-up' } };
  return failed(application, now);
}

/**
 * Ends a submission that created no driver. The restart policy decides what follows, unless another
 * operator's driver exists, which that operator did not recognise as its own.
 */
export function failSubmission(observation: Observation, { now }: Context): Step {
  const { application, adoptable } = observation;
  if (adoptable) return adopting(application, adoptable);
  // Another attempt would end the same way.
  if (oversizedReason(application) !== undefined) return failed(application, now);
  if (observation.undecidable) return LATER;
  const retry = retryOf(governed(observation), now);
  return retry ? again(application, retry.dueIn) : failed(application, now);
}

/**
 * Runs the application again when it is due. The objects of the failed attempt stay until then: its
 * user might want to inspect them.
 */
function again(application: SparkApplication, dueIn: number): Step {
  if (dueIn > 0) return { requeueAfter: dueIn };
  return restarting(application, `attempt ${application.status?.submissionAttempts ?? 0} has failed`);
}

function failed(application: SparkApplication, now: number): Step {
  const status = application.status!;
  const message = status.applicationState?.errorMessage;
  return {
    status: {
      ...status, terminationTime: status.terminationTime ?? rfc3339(now), applicationState: {
        state: ApplicationState.FAILED, ...(message && { errorMessage: message }),
      },
    },
    events: [warning(
      'SparkApplicationFailed', 'Fail', `SparkApplication ${application.metadata.name} failed${message ? `: ${shortMessage(message)}` : ''}`,
    )],
    again: true,
  };
}

/** Keeps a completed or failed application for its time to live, then deletes it. */
export function finished(observation: Observation, { now, settings }: Context): Step {
  const left = observation.undecidable ? undefined : timeLeft(governed(observation), settings.defaultTimeToLive, now);
  if (left === undefined) return { requeueAfter: null };
  return left > 0 ? { requeueAfter: left } : { action: { kind: 'delete-application' } };
}
