import type { ScheduledSparkApplicationStatus } from '../../api/scheduled-spark-application-status';
import type { TimestampPrecision } from '../../model/timestamp-precision';
import type { IntervalLimit } from '../../plan/schedule/interval-limit';
import type { UserEvent } from '../occurrence';
import type { SparkApplication } from '../../model/spark-application';
import type { ScheduledSparkApplication, Trigger } from '../../model/scheduled-spark-application';

/** All that a decision depends on, besides the time. */
export interface Observation {
  readonly schedule: ScheduledSparkApplication;
  /** The runs of this schedule, those as well that are being deleted. */
  readonly runs: readonly SparkApplication[];
  /** Whether no run can be missing: since this process leads, the schedule, and its runs if they matter, have been read from the API server once. Absence is never read from a cache alone. */
  readonly isConfirmed: boolean;
  /** Drivers of this schedule's runs that have not ended, although their applications are gone. */
  readonly drivers: readonly LiveDriver[];
  /** Whether they were just read from the API server. */
  readonly areDriversConfirmed?: boolean;
  /** Runs that were begun in this pass, or found to have begun. */
  readonly begun?: readonly BegunRun[];
  /** Whether the API server does not keep all fields of the status: its CRD is another one. */
  readonly dropsFields?: boolean;
  /** What kept runs from being created, in this pass or so recently that they are not tried again yet. */
  readonly failures?: readonly CreationFailure[];
  /** The run that others were deleted for, where the API server does not keep the condition that says so. */
  readonly admitted?: string;
  /** The value of the annotation that asks for a run about which users were told that it has no effect. */
  readonly toldToken?: string;
}

/** A driver that has not ended. */
export interface LiveDriver {
  readonly name: string;
  readonly uid: string;
  /** Name of its application. */
  readonly application?: string;
  /** Its deletion was asked for. */
  readonly isLeaving: boolean;
}

/** A run that is to begin. */
export interface PlannedRun {
  readonly name: string;
  readonly trigger: Trigger;
  /** The time that it is for, in milliseconds since the epoch; undefined if it is asked for. */
  readonly time?: number;
  /** The value of the annotation that asks for it. */
  readonly token?: string;
}

/** A run that has begun. */
export interface BegunRun extends PlannedRun {
  /** When, in milliseconds since the epoch. */
  readonly at: number;
  /** It was there already when it was to be created. */
  readonly wasThere?: boolean;
}

/** Why a run could not be created. */
export interface CreationFailure {
  readonly run: PlannedRun;
  /** A sentence without a full stop. */
  readonly reason: string;
  /** An object that is not of this schedule has the name, so that other runs can begin. */
  readonly isNameTaken: boolean;
  /** How often it was tried. */
  readonly tries: number;
  /** When it was tried last, in milliseconds since the epoch. */
  readonly at: number;
  /** Until when it is not tried again. */
  readonly until: number;
  /** From when on a run of another name is tried. */
  readonly othersFrom: number;
  /** Nobody was told of it yet. */
  readonly isNew: boolean;
}

/** What is given to a decision from outside, so that tests can hold it. */
export interface Context {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How names of runs tell their time. */
  readonly precision: TimestampPrecision;
  /** The minimum time between two runs. @default - there is none */
  readonly intervalLimit?: IntervalLimit;
}

/** Why a time had no run. */
export type SkipReason =
  /** One before it had not ended, and `Forbid` says to skip it. */
  | 'forbidden'
  /** It was later than `startingDeadlineSeconds` allow. */
  | 'deadline'
  /** No operator was there, or it could not be created, and by `catchUpPolicy` it is not caught up. */
  | 'missed'
  /** A run that was asked for has begun after that time, or is about to, and `Replace` leaves one of them. */
  | 'superseded'
  /** An object that is not of the schedule has its name. */
  | 'name-taken';

/** What to do next. The status is written first, then comes the action, or without one the events. */
export interface Decision {
  /** The new status; absent if nothing has changed. */
  readonly status?: ScheduledSparkApplicationStatus;
  readonly action?: Action;
  readonly events: readonly UserEvent[];
  /** What is counted when the status is written. */
  readonly counts: readonly Count[];
  /** When to look again if nothing happens before, in milliseconds. */
  readonly requeueAfter?: number;
}

/** What is counted. */
export type Count =
  | { readonly kind: 'started'; readonly trigger: Trigger; /** Seconds after its time. */ readonly lateness?: number }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly runs: number }
  /** A try to create a run was refused. */
  | { readonly kind: 'not-started'; readonly trigger: Trigger };

export type Action =
  /** Read what the caches may not have yet from the API server. */
  | { readonly kind: 'confirm' }
  /** Create a run, or find it. */
  | { readonly kind: 'start'; readonly run: PlannedRun }
  /** Delete runs that go on, as another one is to begin in their place. */
  | { readonly kind: 'replace'; readonly runs: readonly SparkApplication[]; /** Told each time that it is done. */ readonly event: UserEvent }
  /** Delete drivers of runs that are gone. Kubernetes would, too, sooner or later. */
  | { readonly kind: 'end-drivers'; readonly drivers: readonly LiveDriver[] }
  /** Look on the API server for drivers of runs that were deleted. */
  | { readonly kind: 'look-for-drivers' }
  /** Delete runs that have ended: there are more than are kept. */
  | { readonly kind: 'clean-up'; readonly runs: readonly SparkApplication[]; /** There are others. */ readonly isMore: boolean };
