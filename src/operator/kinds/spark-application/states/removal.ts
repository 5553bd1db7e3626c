import { ApplicationState } from '../../../../api/states';
import { hasEnded, type PodView } from '../../../../model/pod-view';
import { seconds } from '../../../../text/times';
import type { Observation } from '../decision';
import { stateOf, type SparkApplication } from '../../../../model/spark-application';
import type { Step } from '../step';

/**
 * Milliseconds after which the operator checks on a driver in deletion, in case the watch does not
 * report its end.
 */
const REQUEUE_AFTER = 10_000;
/** Milliseconds after which the status reports the wait. */
const LONG = 60_000;

/**
 * Returns the next step to remove an attempt. The operator deletes the driver and, when a live read
 * shows that it is gone, the driver's other objects.
 *
 * @returns undefined when nothing is left
 */
export function removal({ application, driver, submitter, adoptable, cleanedUp }: Observation, now: number): Step | undefined {
  if (adoptable) return { action: { kind: 'delete-driver', pod: adoptable } };
  const status = application.status;
  if (!status?.submissionID) return undefined;
  // A running spark-submit could create a driver after the clean-up.
  if (submitter && !hasEnded(submitter)) {
    return submitter.metadata.deletionTimestamp
      ? waitForDeletion(application, submitter, now, 'pod')
      : { action: { kind: 'delete-submitter', pod: submitter } };
  }
  if (driver.kind === 'ours' || driver.kind === 'earlier') {
    return driver.pod.metadata.deletionTimestamp
      ? waitForDeletion(application, driver.pod, now)
      : { action: { kind: 'delete-driver', pod: driver.pod } };
  }
  return cleanedUp ? undefined : { action: { kind: 'clean-up' } };
}

/**
 * Waits for the end of a driver in deletion. The status keeps the cause of an earlier failure,
 * followed by the wait.
 */
export function waitForDeletion(application: SparkApplication, pod: PodView, now: number, kind = 'driver pod'): Step {
  const { name, deletionTimestamp } = pod.metadata;
  if (now - Date.parse(deletionTimestamp!) < LONG) return { requeueAfter: REQUEUE_AFTER };
  const node = hasEnded(pod) ? '' : '; its node might be unreachable, and Kubernetes removes it when the node is back or deleted';
  const waiting = `${kind} ${name} is still being deleted after more than ${seconds(LONG)}${node}`;
  const state = stateOf(application);
  const { status } = application;
  const cause = state === ApplicationState.FAILING ? status?.applicationState?.errorMessage : undefined;
  const errorMessage = !cause || cause.endsWith(waiting) ? cause ?? waiting : `${cause}; ${waiting}`;
  return { status: { ...status!, applicationState: { state, errorMessage } }, requeueAfter: REQUEUE_AFTER };
}
