import type { SparkConnectState, SparkConnectStatus } from '../../api/spark-connect-status';
import type { Driver } from '../driver/driver';
import type { SubmissionFailure } from '../driver/hindrance';
import type { PodView } from '../../model/pod-view';
import type { UserEvent } from '../occurrence';
import type { SparkConnect } from '../../model/spark-connect';
import type { SessionReading } from './sessions';

/** The Pod with the server's name. */
export type Server = Driver;

/** All that a decision depends on, besides the time. */
export interface Observation {
  readonly connect: SparkConnect;
  /** The server. That it is not there was read from the API server where it matters. */
  readonly server: Server;
  /** Executors of the SparkConnect, whichever start they belong to. */
  readonly executors: readonly PodView[];
  /** Why it cannot be run as it is written, or may not by the limits; sentences. */
  readonly refusals: readonly string[];
  /** The limits cannot be read now, and why. */
  readonly undecidable?: string;
  /** What hindered the creation of the server, when it was just tried. */
  readonly failure?: SubmissionFailure;
  /** What the user wrote without the effect that it seems to have, when the server was just created; sentences. */
  readonly warnings?: readonly string[];
  /** What an earlier start had created was just removed. */
  readonly cleanedUp?: boolean;
  /** Since when it has been waiting for what does not come by itself, in milliseconds since the epoch. */
  readonly stuckSince?: number;
  /** When the creation of the server is to be tried again at the earliest, in milliseconds since the epoch. */
  readonly notBefore?: number;
  /** What was seen of sessions; undefined if nobody has looked lately. */
  readonly sessions?: SessionReading;
  /** Why there is no Service as it is wanted, of which users are to know; a sentence. */
  readonly serviceProblem?: string;
}

/** What is given to a decision from outside. */
export interface Context {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How long the creation or the start of a server may wait for what does not come by itself, in milliseconds. */
  readonly startTimeout: number;
}

/** What one step comes to: the status is written first, then the action follows, then the events. */
export interface Step {
  /** The new status; absent when nothing changed. */
  readonly status?: SparkConnectStatus;
  readonly action?: Action;
  readonly events?: readonly UserEvent[];
  /** When to look again if nothing happens before, in milliseconds; null: nothing is to be looked for. @default - every few minutes */
  readonly requeueAfter?: number | null;
  /** Whether what follows is to be decided at once. */
  readonly goOn?: boolean;
}

/** A decision. */
export interface Decision extends Step {
  /** The state that is entered with the status, if it is another one. */
  readonly entered?: SparkConnectState;
  /** Nothing is to be written: its state is of a later version. */
  readonly isHeld?: boolean;
}

/** What is done after the status is written. Repeating it does no harm. */
export type Action =
  /** Create the server and what it needs, or find what an earlier try created. */
  | { readonly kind: 'start' }
  /** Delete a server. `force` does not wait for its node. */
  | { readonly kind: 'delete-server'; readonly pod: PodView; readonly force: boolean }
  /** Delete what earlier starts have created besides the server. */
  | { readonly kind: 'clean-up' }
  /** Delete the SparkConnect: nobody has used it for long enough, as was seen at `seenAt` by the monotonic clock. */
  | { readonly kind: 'delete-connect'; readonly seenAt: number };
