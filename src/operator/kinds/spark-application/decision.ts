import type { AppliedDefaults, SparkApplicationStatus } from '../../../api/spark-application-status';
import type { ApplicationState } from '../../../api/states';
import type { Chosen } from './chosen';
import type { Driver } from '../../driver/driver';
import type { SubmissionFailure } from '../../driver/submission-failure';
import type { SparkApplication } from '../../../model/spark-application';
import type { PodView } from '../../../model/pod-view';
import type { UserEvent } from '../../user-event';
import type { SpecFacts } from '../../../model/spec-facts';

/** Everything that a decision depends on, other than the time. */
export interface Observation {
  readonly application: SparkApplication;
  /**
   * The specification with the cluster's defaults, for decisions about an application that has
   * ended. @default - the user's specification
   */
  readonly governed?: SpecFacts;
  /** Whether the cluster's defaults cannot be read. Decisions that depend on them wait. */
  readonly undecidable?: boolean;
  /**
   * The driver's Pod. Where it matters, a missing or different Pod was confirmed by the API server,
   * not by a cache.
   */
  readonly driver: Driver;
  /** A driver that another operator created without recording it in the application's status. */
  readonly adoptable?: PodView;
  /**
   * An orphaned driver. It belongs to an old submission of this operator, whatever its name, or to
   * an application that has ended.
   */
  readonly orphan?: PodView;
  /** Executors of the current submission. */
  readonly executors: readonly PodView[];
  /**
   * Maximum number of executors of the current submission that this process has seen running at the
   * same time.
   */
  readonly executorPeak?: number;
  /** The failure of the driver's creation, when the operator just tried it. */
  readonly failure?: SubmissionFailure;
  /** Whether this process has created the driver, or found it to have what it needs. */
  readonly confirmed?: boolean;
  /** Whether the operator just deleted the submission's other objects. */
  readonly cleanedUp?: boolean;
  /** Pod that runs spark-submit for the current submission. */
  readonly submitter?: PodView;
  /** Pod that ran spark-submit for another submission, or for one that has ended. */
  readonly orphanSubmitter?: PodView;
  /** Present when the Pod for spark-submit was just created. */
  readonly submitting?: Submitting;
  /** Cluster defaults in the submission, when the driver was just created. */
  readonly appliedDefaults?: readonly AppliedDefaults[];
  /**
   * Settings without the effect that they seem to have, when the driver was just created;
   * sentences.
   */
  readonly warnings?: readonly string[];
  /**
   * Whether an older CRD drops the deadline of a start from the status.
   * @default false
   */
  readonly dropsStartDeadline?: boolean;
  /** Earliest time to retry the driver's creation, in milliseconds since the epoch. */
  readonly notBefore?: number;
}

/** Returns the application with the cluster's defaults. */
export function governed({ application, governed: spec = application.spec }: Observation): SparkApplication {
  return { ...application, spec };
}

/** Started spark-submit. */
export interface Submitting {
  /** Reason why the submission is not native; a sentence. */
  readonly because: string;
}

/** Dependencies of a decision that tests can set. */
export interface Context {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A new UUID. */
  readonly newId: () => string;
  readonly settings: Settings;
}

/** Settings of the operator that decisions depend on. */
export interface Settings {
  /**
   * How long a driver's creation or start can wait for something that does not come by itself, in
   * milliseconds.
   */
  readonly driverStartTimeout: number;
  /** Deadline of a Pod that runs spark-submit, in milliseconds. */
  readonly sparkSubmitTimeout: number;
  /** Maximum number of executors in the status. */
  readonly maxTrackedExecutors: number;
  /**
   * How long the operator keeps finished applications that set no `timeToLiveSeconds`, in
   * milliseconds; 0: for ever.
   */
  readonly defaultTimeToLive: number;
  /**
   * Whether new executors get edits of the fields that only concern them, so that the driver stays.
   * @default false
   */
  readonly partialRestart?: boolean;
}

/**
 * Decision of the state machine. The operator writes the status, performs the action and records
 * the events, in this order.
 */
export interface Decision {
  /** The new status; absent when nothing changed. */
  readonly status?: SparkApplicationStatus;
  /** The states that the application has entered with this status, in order. */
  readonly passed: readonly ApplicationState[];
  /**
   * Error messages of the attempts that have failed with this status, in order; empty texts if
   * there is none. The status itself can already be that of the next attempt.
   */
  readonly failures: readonly string[];
  readonly action?: Action;
  readonly events: readonly UserEvent[];
  /**
   * Milliseconds after which the application is requeued if nothing happens earlier. Absent for a
   * finished application.
   */
  readonly requeueAfter?: number;
}

export type Action =
  /**
   * Create the driver and what it needs, or find what an earlier try created.
   * `planned`: the submission, if the status reports it already. @default - it is planned now
   */
  | { readonly kind: 'submit'; readonly planned?: Chosen }
  /** Delete a driver that the operator gave up, or that belongs to an attempt that is over. */
  | { readonly kind: 'delete-driver'; readonly pod: PodView }
  /**
   * Read the result of spark-submit, and the driver. `isLastTry`: whether a failure ends the
   * attempt.
   */
  | { readonly kind: 'end-spark-submit'; readonly pod: PodView; readonly isLastTry: boolean }
  /** Delete a Pod that runs or ran spark-submit. */
  | { readonly kind: 'delete-submitter'; readonly pod: PodView }
  /** Delete the objects that the submission created for a deleted driver. */
  | { readonly kind: 'clean-up' }
  /**
   * Check whether a driver exists and has what it needs. Creates a driver that the status reports,
   * if it never existed.
   */
  | { readonly kind: 'confirm-driver' }
  /** Delete the application because its time to live is over. */
  | { readonly kind: 'delete-application' };
