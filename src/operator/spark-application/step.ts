import type { SparkApplicationStatus } from '../../api/spark-application-status';
import { ApplicationState } from '../../api/states';
import type { Action, Occurrence } from './decision';
import type { SparkApplication } from './model';

/** What one step of a decision comes to. */
export interface Step {
  /** The status after the step; absent when the step changes nothing. */
  readonly status?: SparkApplicationStatus;
  readonly action?: Action;
  readonly events?: readonly Occurrence[];
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

/** Something that went as it should. */
export function normal(reason: string, action: string, note: string): Occurrence {
  return { type: 'Normal', reason, action, note };
}

/** Something that a user should look at. */
export function warning(reason: string, action: string, note: string): Occurrence {
  return { type: 'Warning', reason, action, note };
}

/** Kubernetes' times have a precision of seconds. */
export function rfc3339(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** A duration for people. */
export function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
