import type { Observation } from '../decision';
import { hasEnded } from '../pod-view';
import { seconds, type Step } from '../step';

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
export function removal({ application, driver, stray, cleanedUp }: Observation, now: number): Step | undefined {
  if (stray) return { action: { kind: 'delete-driver', pod: stray } };
  const status = application.status;
  if (!status?.submissionID) return undefined;
  if (driver.kind === 'ours' || driver.kind === 'earlier') {
    const { name, deletionTimestamp } = driver.pod.metadata;
    if (!deletionTimestamp) return { action: { kind: 'delete-driver', pod: driver.pod } };
    const since = now - Date.parse(deletionTimestamp);
    if (since < LONG) return { requeueAfter: LOOK_AGAIN };
    const node = hasEnded(driver.pod) ? '' : '; its node may be unreachable, and Kubernetes removes it when the node is back or deleted';
    const errorMessage = `driver pod ${name} is still being deleted after more than ${seconds(LONG)}${node}`;
    return { status: { ...status, applicationState: { ...status.applicationState!, errorMessage } }, requeueAfter: LOOK_AGAIN };
  }
  return cleanedUp ? undefined : { action: { kind: 'clean-up' } };
}
