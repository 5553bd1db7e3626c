import type { AppliedDefaults, SparkApplicationStatus } from '../../api/spark-application-status';
import type { ApplicationState } from '../../api/states';
import type { Driver } from '../driver/driver';
import type { SubmissionFailure } from '../driver/hindrance';
import type { SparkApplication } from '../../model/spark-application';
import type { PodView } from '../../model/pod-view';
import type { UserEvent } from '../occurrence';
import type { SpecFacts } from '../../model/spec-facts';

/** All that a decision depends on, besides the time. */
export interface Observation {
  readonly application: SparkApplication;
  /** The specification with the defaults of the cluster, for what is decided about an application that has ended. @default - as it is written */
  readonly governed?: SpecFacts;
  /** The defaults of the cluster cannot be read: what depends on them is not decided now. */
  readonly undecidable?: boolean;
  /** The driver's Pod. That it is not there, or another one is, was read from the API server where it matters, never from a cache. */
  readonly driver: Driver;
  /** A driver that another operator has created for an application without writing that into the status. */
  readonly adoptable?: PodView;
  /** A driver that nobody follows: of a submission of ours that is not the current one, whatever its name, or of an application that is over. */
  readonly orphan?: PodView;
  /** Executors of the current submission. */
  readonly executors: readonly PodView[];
  /** What hindered the creation of the driver, when it was just tried. */
  readonly failure?: SubmissionFailure;
  /** The driver was just created, or found to have what it needs. */
  readonly confirmed?: boolean;
  /** What the submission had created besides the driver was just removed. */
  readonly cleanedUp?: boolean;
  /** Pod that runs spark-submit for the current submission. */
  readonly submitter?: PodView;
  /** Pod that ran spark-submit for another submission, or for one that is over. */
  readonly orphanSubmitter?: PodView;
  /** The Pod for spark-submit was just created. */
  readonly submitting?: Submitting;
  /** What the submission has from defaults of the cluster, when the driver was just created. */
  readonly appliedDefaults?: readonly AppliedDefaults[];
  /** What the user wrote without the effect that it seems to have, when the driver was just created; sentences. */
  readonly warnings?: readonly string[];
  /** Since when the driver has been waiting for what does not come by itself, in milliseconds since the epoch. */
  readonly stuckSince?: number;
  /** When the creation of the driver is to be tried again at the earliest, in milliseconds since the epoch. */
  readonly notBefore?: number;
}

/** The application as the defaults of the cluster have it. */
export function governed({ application, governed: spec = application.spec }: Observation): SparkApplication {
  return { ...application, spec };
}

/** A started spark-submit. */
export interface Submitting {
  /** Reason why the submission is not native; a sentence. */
  readonly because: string;
}

/** What is given to a decision from outside, so that tests can hold it. */
export interface Context {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A new UUID. */
  readonly newId: () => string;
  readonly settings: Settings;
}

/** The operator's configuration, as far as decisions depend on it. */
export interface Settings {
  /** How long the creation or the start of a driver may wait for what does not come by itself, in milliseconds. */
  readonly driverStartTimeout: number;
  /** Deadline of a Pod that runs spark-submit, in milliseconds. */
  readonly sparkSubmitTimeout: number;
  /** Executors beyond this number are not recorded in the status. */
  readonly maxTrackedExecutors: number;
  /** How long finished applications are kept that do not say it themselves, in milliseconds; 0: for ever. */
  readonly defaultTimeToLive: number;
}

/** What to do. The status is written first, then the action follows, then the events. */
export interface Decision {
  /** The new status; absent when nothing changed. */
  readonly status?: SparkApplicationStatus;
  /** The states that the application has entered with this status, in order. */
  readonly passed: readonly ApplicationState[];
  readonly action?: Action;
  readonly events: readonly UserEvent[];
  /** When to look again if nothing happens before, in milliseconds. Absent for a finished application. */
  readonly requeueAfter?: number;
}

export type Action =
  /** Create the driver and what it needs, or find what an earlier try created. */
  | { readonly kind: 'submit' }
  /** Delete a driver that was given up, or belongs to an attempt that is over. */
  | { readonly kind: 'delete-driver'; readonly pod: PodView }
  /** Read the result of spark-submit, and the driver. */
  | { readonly kind: 'end-spark-submit'; readonly pod: PodView }
  /** Delete a Pod that runs or ran spark-submit. */
  | { readonly kind: 'delete-submitter'; readonly pod: PodView }
  /** Delete the objects that the submission created for a deleted driver. */
  | { readonly kind: 'clean-up' }
  /** See whether a driver that was found has what it needs. */
  | { readonly kind: 'confirm-driver' }
  /** Delete the application: its time to live is over. */
  | { readonly kind: 'delete-application' };
