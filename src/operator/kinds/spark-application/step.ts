import type { SparkApplicationStatus } from '../../../api/spark-application-status';
import { ApplicationState } from '../../../api/states';
import type { Action } from './decision';
import { shortMessage } from '../../../model/cause/status-cause';
import type { SparkApplication } from '../../../model/spark-application';
import { warning, type UserEvent } from '../../user-event';
import { rfc3339 } from '../../../text/times';

/** Result of one step of a decision. */
export interface Step {
  /** The status after the step; absent when the step changes nothing. */
  readonly status?: SparkApplicationStatus;
  readonly action?: Action;
  readonly events?: readonly UserEvent[];
  /** Milliseconds until the application is requeued; null: it is finished, and needs no requeue. */
  readonly requeueAfter?: number | null;
  /** Whether the same decision continues with the next state. */
  readonly again?: boolean;
}

/** Returns the step for a driver that is gone, or that the operator gave up. */
export function failing(application: SparkApplication, now: number, cause: string, reason: string): Step {
  return {
    status: {
      ...application.status!, terminationTime: rfc3339(now), applicationState: { state: ApplicationState.FAILING, errorMessage: cause },
    },
    events: [warning(reason, 'Run', `Driver ${application.status!.driverInfo.podName} failed: ${shortMessage(cause)}`)],
    again: true,
  };
}
