import type { StandardCondition } from './standard-condition';

/** Whether runs are planned, in `status.scheduleState`. The strings are those of kubeflow/spark-operator v1beta2. */
export enum ScheduleState {
  /** Nobody has looked at it yet. */
  NEW = '',
  /** It is being looked at. */
  VALIDATING = 'Validating',
  /** The next run is planned. */
  SCHEDULED = 'Scheduled',
  /** The schedule or its time zone cannot be read; `reason` says why. */
  FAILED_VALIDATION = 'FailedValidation',
}

/** Types of the standard conditions in the `status` of a ScheduledSparkApplication. */
export enum ScheduleConditionType {
  /** No further runs are planned, as `spec.suspend` says. */
  SUSPENDED = 'Suspended',
  /** A run is due and has not begun yet; the reason and the message say why. */
  WAITING = 'Waiting',
}

/** What the operator knows about the runs, as in the `status`. */
export interface ScheduledSparkApplicationStatus {
  /**
   * When the latest run began (RFC 3339).
   * @default - there was none
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
   * @default - there was none
   */
  readonly lastRunName?: string;
  /**
   * Names of runs that succeeded and are kept, the latest first.
   * @default - none
   */
  readonly pastSuccessfulRunNames?: string[];
  /**
   * Names of runs that failed and are kept, the latest first.
   * @default - none
   */
  readonly pastFailedRunNames?: string[];
  /**
   * Whether runs are planned.
   * @default - nobody has looked at it yet
   */
  readonly scheduleState?: ScheduleState;
  /**
   * Why runs are not planned, in words.
   * @default - they are
   */
  readonly reason?: string;
  /**
   * Hash of the schedule and the time zone that `nextRun` follows from. With others the next run is planned anew.
   * @default - none is planned, or another operator has planned it
   */
  readonly scheduleHash?: string;
  /**
   * The value of the annotation `sparkoperator.k8s.io/run-now` that was acted upon last; in place of one of more than 253 characters its hash.
   * @default - no run was asked for
   */
  readonly lastRunNow?: string;
  /**
   * `metadata.generation` of the object that this status is about.
   * @default - nobody has looked at it yet
   * @format int64
   */
  readonly observedGeneration?: number;
  /**
   * The standard conditions. One that has never been true is missing.
   * @default - none
   * @listMapKeys ["type"]
   */
  readonly conditions?: StandardCondition[];
}
