import { ApplicationState } from '../../../../api/states';
import { hasEnded } from '../../../../model/pod-view';
import { isUnconfirmed, type SparkApplication } from '../../../../model/spark-application';
import type { Context, Observation } from '../decision';
import type { Step } from '../step';
import { waitForCreation } from '../waiting';
import { follow } from './follow';

/**
 * Follows the driver of a submitted application. If the status does not prove that the driver was
 * created, the operator finds that out first. A failed creation takes the state back.
 */
export function followSubmission(observation: Observation, context: Context): Step {
  const { application, driver, failure, confirmed, appliedDefaults } = observation;
  if (!isUnconfirmed(application)) return follow(observation, context);
  if (failure) return waitForCreation({ ...observation, application: withdrawn(application) }, failure, context.now, context.settings);
  const isOver = driver.kind === 'ours' && hasEnded(driver.pod);
  if (!confirmed && !isOver) return { action: { kind: 'confirm-driver' } };
  const step = follow(observation, context);
  if (!appliedDefaults) return step;
  // A submission that another process began can have other defaults by now.
  const { appliedDefaults: _, ...status } = step.status ?? application.status!;
  return { ...step, status: { ...status, ...(appliedDefaults.length > 0 && { appliedDefaults: [...appliedDefaults] }) } };
}

/** Returns an application whose driver could not be created, in the state before its submission. */
function withdrawn(application: SparkApplication): SparkApplication {
  const {
    executionAttempts = 1, sparkApplicationId: _, appliedDefaults: __, deadlineTime: ___, ...status
  } = application.status!;
  const runs = executionAttempts - 1;
  const state = (status.submissionAttempts ?? 1) > 1 ? ApplicationState.PENDING_RERUN : ApplicationState.NEW;
  return { ...application, status: { ...status, ...(runs > 0 && { executionAttempts: runs }), applicationState: { state } } };
}
