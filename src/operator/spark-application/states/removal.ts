import { ApplicationState } from '../../../api/states';
import { hasEnded, type PodView } from '../../../model/pod-view';
import { seconds } from '../../../text/times';
import type { Observation } from '../decision';
import { stateOf, type SparkApplication } from '../../../model/spark-application';
import type { Step } from '../step';

/** How often it is looked for a driver that is being deleted, should its end not be told. */
const LOOK_AGAIN = 10_000;
/** After this time users are told what is waited for. */
const LONG = 60_000;

/**
 * What is to be done until nothing is left of an attempt: its driver is deleted, and when a live read finds it gone, what was made
 * for it.
 *
 * @returns undefined when nothing is left
 */
export function removal({ application, driver, submitter, adoptable: stray, cleanedUp }: Observation, now: number): Step | undefined {
  if (stray) return { action: { kind: 'delete-driver', pod: stray } };
  const status = application.status;
  if (!status?.submissionID) return undefined;
  // A running spark-submit could create a driver after the clean-up.
  if (submitter && !hasEnded(submitter)) {
    return submitter.metadata.deletionTimestamp
      ? waitForDeletion(application, submitter, now, 'pod')
      : { action: { kind: 'delete-submitter', pod: submitter } };
  }
  if (driver.kind === 'ours' || driver.kind === 'earlier') {
    return driver.pod.metadata.deletionTimestamp ? waitForDeletion(application, driver.pod, now) : { action: { kind: 'delete-driver', pod: driver.pod } };
  }
  return cleanedUp ? undefined : { action: { kind: 'clean-up' } };
}

/** Waits for the end of a driver that is being deleted. What it failed of before stays in the status, with what is waited for after it. */
export function waitForDeletion(application: SparkApplication, pod: PodView, now: number, kind = 'driver pod'): Step {
  const { name, deletionTimestamp } = pod.metadata;
  if (now - Date.parse(deletionTimestamp!) < LONG) return { requeueAfter: LOOK_AGAIN };
  const node = hasEnded(pod) ? '' : '; its node may be unreachable, and Kubernetes removes it when the node is back or deleted';
  const waiting = `${kind} ${name} is still being deleted after more than ${seconds(LONG)}${node}`;
  const state = stateOf(application);
  const { status } = application;
  const cause = state === ApplicationState.FAILING ? status?.applicationState?.errorMessage : undefined;
  const errorMessage = !cause || cause.endsWith(waiting) ? cause ?? waiting : `${cause}; ${waiting}`;
  return { status: { ...status!, applicationState: { state, errorMessage } }, requeueAfter: LOOK_AGAIN };
}
