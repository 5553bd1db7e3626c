import type { StandardCondition } from './standard-condition';
import type { AttemptResult } from './states';

/**
 * Whether runs are planned, in `status.scheduleState`. The strings are those of
 * kubeflow/spark-operator v1beta2.
 */
export enum ScheduleState {
  /** The operator has not reconciled the object yet. */
  NEW = '',
  /** The operator checks the schedule. */
  VALIDATING = 'Validating',
  /** The next run is planned. */
  SCHEDULED = 'Scheduled',
  /** The schedule or its time zone is invalid; `reason` has the details. */
  FAILED_VALIDATION = 'FailedValidation',
}

/** Types of the standard conditions in the `status` of a ScheduledSparkApplication. */
export enum ScheduleConditionType {
  /** No further runs are planned, because of `spec.suspend`. */
  SUSPENDED = 'Suspended',
  /** A run is due but has not started; the reason and the message explain why. */
  WAITING = 'Waiting',
}

/** A finished run of a schedule. */
export interface RunRecord {
  /** Name of its SparkApplication, which might be deleted. */
  readonly name: string;
  /**
   * Time for which it was scheduled (RFC 3339).
   * @default - it was requested, or another operator started it
   * @format date-time
   */
  readonly scheduledTime?: string;
  /**
   * Creation of its SparkApplication (RFC 3339).
   * @format date-time
   */
  readonly startTime: string;
  /**
   * End of its last attempt (RFC 3339).
   * @default - unknown
   * @format date-time
   */
  readonly endTime?: string;
  /** Whether it completed or failed. */
  readonly result: AttemptResult;
  /**
   * Cause of its failure, as in the history of its attempts; at most 100 characters.
   * @default - no failure
   */
  readonly cause?: string;
}

/** Status of a ScheduledSparkApplication. */
export interface ScheduledSparkApplicationStatus {
  /**
   * When the latest run started (RFC 3339).
   * @default - no run yet
   * @format date-time
   */
  readonly lastRun?: string;
  /**
   * When the next run is due (RFC 3339).
   * @default - none is planned
   * @format date-time
   */
  readonly nextRun?: string;
  /**
   * Name of the SparkApplication of the latest run.
   * @default - no run yet
   */
  readonly lastRunName?: string;
  /**
   * Names of successful runs that are kept, latest first.
   * @default - none
   */
  readonly pastSuccessfulRunNames?: string[];
  /**
   * Names of failed runs that are kept, latest first.
   * @default - none
   */
  readonly pastFailedRunNames?: string[];
  /**
   * Finished runs, oldest first, at most 20. It also has runs that were deleted after their end.
   * @default - no run has finished
   */
  readonly runHistory?: RunRecord[];
  /**
   * Whether runs are planned.
   * @default - not reconciled yet
   */
  readonly scheduleState?: ScheduleState;
  /**
   * Why no runs are planned.
   * @default - runs are planned
   */
  readonly reason?: string;
  /**
   * Hash of the schedule and the time zone of `nextRun`. If they change, the operator computes the
   * next run again.
   * @default - none is planned, or another operator has planned it
   */
  readonly scheduleHash?: string;
  /**
   * Latest value of the annotation `sparkoperator.k8s.io/run-now` that started a run; for more than
   * 253 characters, its hash.
   * @default - no run was requested
   */
  readonly lastRunNow?: string;
  /**
   * `metadata.generation` of the object that the operator last reconciled.
   * @default - not reconciled yet
   * @format int64
   */
  readonly observedGeneration?: number;
  /**
   * Standard conditions. A condition that has never been true is missing.
   * @default - none
   * @listMapKeys ["type"]
   */
  readonly conditions?: StandardCondition[];
}
