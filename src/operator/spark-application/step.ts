import type { SparkApplicationStatus } from '../../api/spark-application-status';
import { ApplicationState } from '../../api/states';
import type { Action } from './decision';
import type { SparkApplication } from '../../model/spark-application';
import { warning, type UserEvent } from '../occurrence';
import { rfc3339 } from '../../text/times';

/** What one step of a decision comes to. */
export interface Step {
  /** The status after the step; absent when the step changes nothing. */
  readonly status?: SparkApplicationStatus;
  readonly action?: Action;
  readonly events?: readonly UserEvent[];
  /** null: the application is finished, there is nothing to look for. */
  readonly requeueAfter?: number | null;
  /** Whether the state that follows is looked at in the same decision. */
  readonly goOn?: boolean;
}

/** The step of a driver that is not there any more, or is given up. */
export function failing(application: SparkApplication, now: number, cause: string, reason: string): Step {
  return {
    status: { ...application.status!, terminationTime: rfc3339(now), applicationState: { state: ApplicationState.FAILING, errorMessage: cause } },
    events: [warning(reason, 'Run', `Driver ${application.status!.driverInfo.podName} failed: ${cause}`)],
    goOn: true,
  };
}
