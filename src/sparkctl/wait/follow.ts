import { ApplicationState, isTerminal } from '../../api/states';
import type { NamespacedRef } from '../../model/actions/actions';
import { isCurrent } from '../../model/actions/current';
import { followOne } from '../../model/actions/follow';
import { type Clock, type Random, systemClock } from '../../kube/clock';
import type { ListWatcher } from '../../kube/reflector';
import { SPARK_APPLICATIONS } from '../../model/resources';
import { stateOf, type WholeApplication } from '../../model/spark-application';

/** Options of waiting: the condition, callbacks and dependencies. */
export interface FollowOptions {
  /** States to wait for; any of them ends the wait. @default - COMPLETED or FAILED */
  readonly until?: readonly ApplicationState[];
  /**
   * Whether to wait only for the deletion of the application, regardless of its state.
   *
   * @default false
   */
  readonly untilDeleted?: boolean;
  /**
   * Uid of the application: a later one of the same name is another application.
   *
   * @default - that of the first object that is seen
   */
  readonly uid?: string;
  /**
   * Minimum `metadata.generation` whose status applies. A status that is older than the object's
   * generation never applies.
   *
   * @default 0
   */
  readonly generation?: number;
  /** Milliseconds after which the wait ends without result. @default - unlimited */
  readonly timeout?: number;
  /**
   * Called with each version of the object, including the first. Must not throw.
   *
   * @default - no callback
   */
  readonly onChange?: (application: WholeApplication) => void;
  /**
   * Called with the error when the connection is lost, and without one when it is restored. Must
   * not throw.
   *
   * @default - no callback
   */
  readonly onTrouble?: (error: Error | undefined) => void;
  /** Aborts the wait, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/** Result of a wait. */
export type Outcome =
  /** The application is in a wanted state, or has ended. */
  | { readonly kind: 'state'; readonly application: WholeApplication; readonly isWanted: boolean }
  /** The application has been deleted. `application` is its last known version. */
  | { readonly kind: 'deleted'; readonly application?: WholeApplication }
  /** The timeout has passed. */
  | { readonly kind: 'timed-out'; readonly application?: WholeApplication };

/** Exit codes of commands that wait. */
export const WAIT_EXIT_CODES = {
  1: 'the application has failed, or has ended without reaching the wanted state',
  3: 'the timeout has passed before that',
  4: 'the application was deleted meanwhile',
  130: 'Ctrl-C ended the wait; the application continues',
} as const;

/** Returns the exit code for an outcome. */
export function exitCodeOf(outcome: Outcome): number {
  switch (outcome.kind) {
    case 'state': return outcome.isWanted ? 0 : 1;
    case 'timed-out': return 3;
    case 'deleted': return 4;
  }
}

/**
 * Waits until an application has ended or is in a wanted state. It resumes lost watches without
 * limit.
 *
 * @throws {ApiError | NetworkError} if the application does not exist, or its first read fails
 */
export async function follow(client: ListWatcher, { namespace, name }: NamespacedRef, options: FollowOptions = {}): Promise<Outcome> {
  const { clock = systemClock, random, uid, signal, timeout, onChange, onTrouble } = options;
  const over = new AbortController();
  const timeIsUp = new Error('the time is up');
  const timer = timeout === undefined ? undefined : clock.setTimeout(() => over.abort(timeIsUp), timeout);
  let application: WholeApplication | undefined;
  const events = followOne(client, SPARK_APPLICATIONS, { namespace, name, uid }, {
    clock, random,
    signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
    everyVersion: true,
    onTrouble: (error) => {
      // An error before the first read is final: there was no connection that could be restored.
      if (error && !application) over.abort(error);
      else onTrouble?.(error);
    },
  });
  try {
    for await (const { object, isGone } of events) {
      application = object;
      onChange?.(application);
      const outcome = outcomeIn(application, options);
      if (outcome) return outcome;
      if (isGone) break;
    }
    return { kind: 'deleted', application };
  } catch (error) {
    if (error === timeIsUp) return { kind: 'timed-out', application };
    throw error;
  } finally {
    clock.clearTimeout(timer);
  }
}

/** Returns the outcome if the state of the application ends the wait, else undefined. */
function outcomeIn(application: WholeApplication, { until, untilDeleted = false, generation }: FollowOptions): Outcome | undefined {
  if (untilDeleted || !isCurrent(application, generation)) return undefined;
  const state = stateOf(application);
  if (until?.includes(state)) return { kind: 'state', application, isWanted: true };
  return isTerminal(state)
    ? { kind: 'state', application, isWanted: until === undefined && state === ApplicationState.COMPLETED }
    : undefined;
}
