import type { SparkConnectState, SparkConnectStatus } from '../../../api/spark-connect-status';
import type { Driver } from '../../driver/driver';
import type { SubmissionFailure } from '../../driver/submission-failure';
import type { PodView } from '../../../model/pod-view';
import type { UserEvent } from '../../user-event';
import type { SparkConnect } from '../../../model/spark-connect';
import type { SessionReading } from './sessions';

/** The Pod with the server's name. */
export type Server = Driver;

/** Input of a decision, apart from the time. */
export interface Observation {
  readonly connect: SparkConnect;
  /** The server. Where its absence matters, the API server has confirmed it. */
  readonly server: Server;
  /** Executors of the SparkConnect, of any start. */
  readonly executors: readonly PodView[];
  /** Why the specification or the limits forbid to run it; sentences. */
  readonly refusals: readonly string[];
  /** Why the limits cannot be read now. */
  readonly undecidable?: string;
  /** Why the creation of the server failed, if it was just tried. */
  readonly failure?: SubmissionFailure;
  /** Settings without the expected effect, if the server was just created; sentences. */
  readonly warnings?: readonly string[];
  /** Whether the objects of earlier starts were just removed. */
  readonly cleanedUp?: boolean;
  /**
   * Whether an older CRD drops the deadline of a start from the status.
   * @default false
   */
  readonly dropsStartDeadline?: boolean;
  /** Earliest time of the next attempt to create the server, in milliseconds since the epoch. */
  readonly notBefore?: number;
  /** Result of reading the sessions; undefined if they were not read lately. */
  readonly sessions?: SessionReading;
  /** Why the desired Service does not exist, as a sentence for users. */
  readonly serviceProblem?: string;
}

/** Context of a decision. */
export interface Context {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /**
   * Milliseconds that the creation or the start of a server can wait for something that does not
   * come by itself.
   */
  readonly startTimeout: number;
}

/**
 * Result of one step. The reconciler writes the status first, then runs the action, then records
 * the events.
 */
export interface Step {
  /** The new status; absent if nothing changed. */
  readonly status?: SparkConnectStatus;
  readonly action?: Action;
  readonly events?: readonly UserEvent[];
  /**
   * Milliseconds until it is requeued if nothing happens before; null: never.
   * @default - every few minutes
   */
  readonly requeueAfter?: number | null;
  /** Whether to decide again at once. */
  readonly again?: boolean;
}

/** A decision. */
export interface Decision extends Step {
  /** The state that the status enters; absent if it stays the same. */
  readonly entered?: SparkConnectState;
  /** Whether nothing is written, because a later version has written its state. */
  readonly isHeld?: boolean;
}

/** An action that follows the write of the status. It is idempotent. */
export type Action =
  /** Create the server and its objects, or find those of an earlier attempt. */
  | { readonly kind: 'start' }
  /** Delete a server. `force` does not wait for its node. */
  | { readonly kind: 'delete-server'; readonly pod: PodView; readonly force: boolean }
  /** Delete the objects of earlier starts, apart from the server. */
  | { readonly kind: 'clean-up' }
  /**
   * Delete the SparkConnect because it has been idle for long enough. `seenAt` is the monotonic
   * time of the observation. The events follow the deletion.
   */
  | { readonly kind: 'delete-connect'; readonly seenAt: number; readonly events?: readonly UserEvent[] };
