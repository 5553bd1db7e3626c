import { ApplicationState } from '../../../api/states';
import { hasEnded } from '../../../model/pod-view';
import { normal, warning } from '../../occurrence';
import { rfc3339 } from '../../../text/times';
import { governed, type Context, type Observation } from '../decision';
import type { SparkApplication } from '../../../model/spark-application';
import { oversizedReason } from '../transform';
import { retryOf } from '../../../model/retry';
import type { Step } from '../step';
import { timeLeft } from '../ttl';
import { waitForDeletion } from './removal';
import { restarting, takingUp } from './restart';

/** What cannot be decided now is looked at again soon. */
const LATER: Step = { requeueAfter: 30_000 };

/** Succeeding: run again at once, or completed. */
export function succeed(observation: Observation, { now }: Context): Step {
  const { application } = observation;
  if (observation.undecidable) return LATER;
  if (retryOf(governed(observation), now)) return restarting(application, 'it has completed, and its restart policy is Always');
  return {
    status: { ...application.status!, applicationState: { state: ApplicationState.COMPLETED } },
    events: [normal('SparkApplicationCompleted', 'Complete', `SparkApplication ${application.metadata.name} completed`)],
    goOn: true,
  };
}

/** Failing: a driver that was given up goes first, whether it has started by now or not; then the restart policy decides. */
export function fail(observation: Observation, { now }: Context): Step {
  const { application, driver, cleanedUp } = observation;
  if (driver.kind === 'ours' && !hasEnded(driver.pod)) {
    return driver.pod.metadata.deletionTimestamp ? waitForDeletion(application, driver.pod, now) : { action: { kind: 'delete-driver', pod: driver.pod } };
  }
  if (observation.undecidable) return LATER;
  const retry = retryOf(governed(observation), now);
  if (retry) return again(application, retry.dueIn);
  // With a driver that is gone goes what was made for it.
  if (driver.kind !== 'ours' && !cleanedUp) return { action: { kind: 'clean-up' } };
  return failed(application, now);
}

/** The driver could not be created: the restart policy decides, unless another operator has taken its own driver for somebody else's. */
export function failSubmission(observation: Observation, { now }: Context): Step {
  const { application, adoptable: stray } = observation;
  if (stray) return takingUp(application, stray);
  // Another attempt would end the same way.
  if (oversizedReason(application) !== undefined) return failed(application, now);
  if (observation.undecidable) return LATER;
  const retry = retryOf(governed(observation), now);
  return retry ? again(application, retry.dueIn) : failed(application, now);
}

/** Until the next attempt what is left of this one stays: its user may want to look at it. */
function again(application: SparkApplication, dueIn: number): Step {
  if (dueIn > 0) return { requeueAfter: dueIn };
  return restarting(application, `attempt ${application.status?.submissionAttempts ?? 0} has failed`);
}

function failed(application: SparkApplication, now: number): Step {
  const status = application.status!;
  const message = status.applicationState?.errorMessage;
  return {
    status: { ...status, terminationTime: status.terminationTime ?? rfc3339(now), applicationState: { state: ApplicationState.FAILED, ...(message && { errorMessage: message }) } },
    events: [warning('SparkApplicationFailed', 'Fail', `SparkApplication ${application.metadata.name} failed${message ? `: ${message}` : ''}`)],
    goOn: true,
  };
}

/** Completed or failed: it is kept as long as its time to live says. */
export function finished(observation: Observation, { now, settings }: Context): Step {
  const left = observation.undecidable ? undefined : timeLeft(governed(observation), settings.defaultTimeToLive, now);
  if (left === undefined) return { requeueAfter: null };
  return left > 0 ? { requeueAfter: left } : { action: { kind: 'delete-application' } };
}
