import type { ScheduledSparkApplicationStatus } from '../../../api/scheduled-spark-application-status';
import type { TimestampPrecision } from '../../../model/timestamp-precision';
import type { IntervalLimit } from '../../../plan/schedule/interval-limit';
import type { UserEvent } from '../../user-event';
import type { SparkApplication } from '../../../model/spark-application';
import type { ScheduledSparkApplication, Trigger } from '../../../model/scheduled-spark-application';

/** The input of a decision, except for the time. */
export interface Observation {
  readonly schedule: ScheduledSparkApplication;
  /** The runs of this schedule, including those that are being deleted. */
  readonly runs: readonly SparkApplication[];
  /**
   * Whether no run can be missing. The schedule, and its runs if they matter, have been read from
   * the API server once since this process leads. The operator never infers absence from a cache
   * alone.
   */
  readonly isConfirmed: boolean;
  /** Drivers of this schedule's runs that have not ended although their applications are gone. */
  readonly drivers: readonly LiveDriver[];
  /** Whether the drivers were just read from the API server. */
  readonly areDriversConfirmed?: boolean;
  /** Runs that this pass has started, or found started. */
  readonly begun?: readonly BegunRun[];
  /** Whether the API server drops fields of the status, because the cluster has another CRD. */
  readonly dropsFields?: boolean;
  /**
   * Failed creations of runs, of this pass or so recent that the operator does not retry them yet.
   */
  readonly failures?: readonly CreationFailure[];
  /** The run that replaces others, if the API server drops the condition that records it. */
  readonly admitted?: string;
  /** The value of the run-now annotation for which an event has reported that it has no effect. */
  readonly reportedToken?: string;
}

/** A driver that has not ended. */
export interface LiveDriver {
  readonly name: string;
  readonly uid: string;
  /** The name of its application. */
  readonly application?: string;
  /** Whether its deletion was requested. */
  readonly isLeaving: boolean;
}

/** A run that is to begin. */
export interface PlannedRun {
  readonly name: string;
  readonly trigger: Trigger;
  /** The scheduled time, in milliseconds since the epoch; undefined for a requested run. */
  readonly time?: number;
  /** The value of the annotation that requests the run. */
  readonly token?: string;
}

/** A run that has begun. */
export interface BegunRun extends PlannedRun {
  /** The start, in milliseconds since the epoch. */
  readonly at: number;
  /** Whether the run existed already when the operator tried to create it. */
  readonly wasThere?: boolean;
}

/** A failed creation of a run. */
export interface CreationFailure {
  readonly run: PlannedRun;
  /** The reason, a sentence without a full stop. */
  readonly reason: string;
  /** Whether an object of another owner has the name, so that other runs can begin. */
  readonly isNameTaken: boolean;
  /** The number of tries. */
  readonly tries: number;
  /** The time of the last try, in milliseconds since the epoch. */
  readonly at: number;
  /** The time of the next try of this run. */
  readonly until: number;
  /** The earliest time at which a run of another name is tried. */
  readonly othersFrom: number;
  /** Whether no event has reported it yet. */
  readonly isNew: boolean;
}

/** The context of a decision, passed in so that tests can fix it. */
export interface Context {
  /** The time, in milliseconds since the epoch. */
  readonly now: number;
  /** The precision of the time in the names of runs. */
  readonly precision: TimestampPrecision;
  /** The minimum time between two runs. @default - no minimum */
  readonly intervalLimit?: IntervalLimit;
}

/** Reasons why a time had no run. */
export type SkipReason =
  /** The previous run had not ended, and the policy is `Forbid`. */
  | 'forbidden'
  /** The start would have been later than `startingDeadlineSeconds` allows. */
  | 'deadline'
  /** No operator was running, or the creation failed, and `catchUpPolicy` does not catch it up. */
  | 'missed'
  /**
   * A requested run has begun after that time, or is about to, and `Replace` keeps only one of
   * them.
   */
  | 'superseded'
  /** An object of another owner has the name. */
  | 'name-taken';

/**
 * The next thing to do. The operator writes the status first. Then it performs the action, or
 * without an action records the events.
 */
export interface Decision {
  /** The new status; absent if nothing has changed. */
  readonly status?: ScheduledSparkApplicationStatus;
  readonly action?: Action;
  readonly events: readonly UserEvent[];
  /** Counts for the metrics once the status is written. */
  readonly counts: readonly Count[];
  /** The time until the next pass if nothing happens before, in milliseconds. */
  readonly requeueAfter?: number;
}

/** An increment of a metric. */
export type Count =
  | { readonly kind: 'started'; readonly trigger: Trigger; /** Seconds after its time. */ readonly lateness?: number }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly runs: number }
  /** The API server rejected the creation of a run. */
  | { readonly kind: 'not-started'; readonly trigger: Trigger };

export type Action =
  /** Read from the API server what the caches might lack. */
  | { readonly kind: 'confirm' }
  /** Create a run, or find it. */
  | { readonly kind: 'start'; readonly run: PlannedRun }
  /** Delete active runs that another run replaces. */
  | {
    readonly kind: 'replace'; readonly runs: readonly SparkApplication[];
    /** The event of each deletion. */
    readonly event: UserEvent;
  }
  /** Delete drivers of runs that are gone. Kubernetes would also delete them eventually. */
  | { readonly kind: 'end-drivers'; readonly drivers: readonly LiveDriver[] }
  /** Ask the API server for drivers of runs that were deleted. */
  | { readonly kind: 'look-for-drivers' }
  /** Delete finished runs above the limit of the history. */
  | { readonly kind: 'clean-up'; readonly runs: readonly SparkApplication[]; /** There are others. */ readonly isMore: boolean };

/** Times without a run. */
export interface Skipped {
  readonly reason: Exclude<SkipReason, 'forbidden'>;
  readonly runs: number;
  /** Whether there are more than `runs`. */
  readonly isMore: boolean;
  /** The first of the times. */
  readonly from: number;
}
