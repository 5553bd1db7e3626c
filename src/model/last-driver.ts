import type { AttemptRecord } from '../api/spark-application-status';
import type { SparkApplication } from './spark-application';

/** How far the driver of an attempt came. */
export type DriverProgress = 'absent' | 'unstarted' | 'started';

/** The operator's message about a driver whose pod was deleted by another. */
const LOST = /^driver pod not found\b/;

/** The operator's words about the end of a driver whose pod was deleted. */
export const POD_DELETED = 'its pod was deleted';

/** Whether the operator found that the driver's pod does not exist any more. */
export function hasLostDriver({ status }: SparkApplication): boolean {
  return isLoss(status?.applicationState?.errorMessage);
}

/** Whether a cause is that the driver's pod does not exist any more. Its end is then unknown. */
export function isLoss(cause: string | undefined): boolean {
  return cause !== undefined && LOST.test(cause);
}

/**
 * Whether the driver ended because its pod was deleted: Kubernetes removes the pod and its log at
 * once.
 */
export function wasDriverDeleted({ status }: SparkApplication): boolean {
  return status?.applicationState?.errorMessage?.includes(POD_DELETED) === true;
}

/**
 * Returns how far the driver of the last attempt came, by the record of that attempt. A suspension
 * removes the submission ID from the status.
 *
 * @returns undefined if the attempt is active, or its operator has not recorded it
 */
export function lastDriver(application: SparkApplication): DriverProgress | undefined {
  const { attemptHistory, submissionID } = application.status ?? {};
  const last = attemptHistory?.at(-1);
  if (!last?.result || (submissionID !== undefined && last.submissionID !== submissionID)) return undefined;
  return knownProgress(last, application.status?.applicationState?.errorMessage);
}

/**
 * Returns how far the driver of an ended attempt came; undefined if it was lost before the operator
 * saw its start.
 */
export function knownProgress(record: AttemptRecord, cause = record.cause): DriverProgress | undefined {
  const progress = progressIn(record);
  return progress !== 'started' && isLoss(cause) ? undefined : progress;
}

/** Returns how far the driver of an ended attempt came, by its record. */
export function progressIn({ driverStartTime, exitCode, driverPodName, driverCreationTime }: AttemptRecord): DriverProgress {
  if (driverStartTime !== undefined || exitCode !== undefined) return 'started';
  return driverPodName === undefined && driverCreationTime === undefined ? 'absent' : 'unstarted';
}
