import type { ObservedApplication } from './explain';
import { isTerminal } from '../api/states';
import { hasLostDriver, lastDriver, progressIn, type DriverProgress } from '../model/last-driver';
import { needsDriver, stateOf } from '../model/spark-application';

/**
 * Returns how far the driver of an attempt came as a clause; undefined if it has started, or that
 * is unknown.
 *
 * @param title of the application
 * @param attempt its number; the driver of an earlier one might have run
 */
export function neverRan(
  title: string, progress: DriverProgress | undefined, attempt = 1, role: 'driver' | 'server' = 'driver',
): string | undefined {
  const subject = attempt > 1 ? `attempt ${attempt} of ${title}` : title;
  if (progress === 'absent') return `${subject} never had a ${role}`;
  return progress === 'unstarted' ? `the ${role} of ${subject} never started` : undefined;
}

/**
 * Returns why an application has no driver's pod, and so no log of it, as a clause; undefined if
 * the pod exists, or the pods were not read.
 */
export function whyNoDriver({ application, driver, executors, now }: ObservedApplication): string | undefined {
  if (driver || !executors) return undefined;
  const { name } = application.metadata;
  const progress = isSuspendedAfterRun(application) ? 'started' : lastDriver(application);
  const never = neverRan(name, progress, application.status?.attemptHistory?.at(-1)?.number);
  if (never !== undefined) return never;
  const isGone = progress === 'started' || hasLostDriver(application) || needsDriver(application, now) || isTerminal(stateOf(application));
  return isGone ? `the driver of ${name} does not exist any more` : `the driver of ${name} has not been created yet`;
}

/**
 * Whether a driver has run before a suspension, which removes the submission ID from the status, so
 * that no attempt is the current one.
 */
function isSuspendedAfterRun({ status }: ObservedApplication['application']): boolean {
  return status?.submissionID === undefined && status?.attemptHistory?.some((record) => progressIn(record) === 'started') === true;
}
