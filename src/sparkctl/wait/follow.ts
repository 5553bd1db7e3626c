import { ApplicationState, isTerminal } from '../../api/states';
import type { NamespacedRef } from '../../model/actions/actions';
import { isCurrent } from '../../model/actions/current';
import { followOne } from '../../model/actions/follow';
import { type Clock, type Random, systemClock } from '../../kube/clock';
import type { ListWatcher } from '../../kube/reflector';
import { SPARK_APPLICATIONS } from '../../model/resources';
import { stateOf, type WholeApplication } from '../../model/spark-application';

/** What is waited for, and who is told. */
export interface FollowOptions {
  /** States, any of which is waited for. @default - the end: COMPLETED or FAILED */
  readonly until?: readonly ApplicationState[];
  /** Whether only the deletion of the application is waited for, whatever state it is in. @default false */
  readonly untilDeleted?: boolean;
  /** The object that is meant: one of the same name that comes later is another. @default - the first that is seen */
  readonly uid?: string;
  /** What the status says about an older `metadata.generation` than this does not count. What it says about an older one than the object has never does. @default 0 */
  readonly generation?: number;
  /** Milliseconds after which it is given up. @default - without end */
  readonly timeout?: number;
  /** Told of each state of the object, the first one included. Must not throw. @default - nobody is told */
  readonly onChange?: (application: WholeApplication) => void;
  /** Told that the connection is lost, and, without an error, that it is back. Must not throw. @default - nobody is told */
  readonly onTrouble?: (error: Error | undefined) => void;
  /** Ends it when aborted; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/** How a wait has ended. */
export type Outcome =
  /** The application is in a state that was waited for, or has ended. */
  | { readonly kind: 'state'; readonly application: WholeApplication; readonly isWanted: boolean }
  /** It has been deleted. `application` is as it was last seen. */
  | { readonly kind: 'deleted'; readonly application?: WholeApplication }
  /** The time is up. */
  | { readonly kind: 'timed-out'; readonly application?: WholeApplication };

/** What commands that wait say by their exit code. */
export const WAIT_EXIT_CODES = {
  1: 'the application has failed, or has ended without the state that was waited for',
  3: 'the time was up before that',
  4: 'the application was deleted meanwhile',
} as const;

/** The exit code for an outcome. */
export function exitCodeOf(outcome: Outcome): number {
  switch (outcome.kind) {
    case 'state': return outcome.isWanted ? 0 : 1;
    case 'timed-out': return 3;
    case 'deleted': return 4;
  }
}

/**
 * Waits until an application has ended or is in a state. A watch that is lost is begun again where it broke, as often as need be.
 *
 * @throws {ApiError | NetworkError} if the application is not there, or cannot be read at all
 */
export async function follow(client: ListWatcher, { namespace, name }: NamespacedRef, options: FollowOptions = {}): Promise<Outcome> {
  const { clock = systemClock, random, uid, signal, timeout, onChange, onTrouble } = options;
  const over = new AbortController();
  const timeIsUp = new Error('the time is up');
  const timer = timeout === undefined ? undefined : clock.setTimeout(() => over.abort(timeIsUp), timeout);
  let application: WholeApplication | undefined;
  const sights = followOne(client, SPARK_APPLICATIONS, { namespace, name, uid }, {
    clock, random,
    signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
    everyVersion: true,
    onTrouble: (error) => {
      // What has never worked is no connection that was lost.
      if (error && !application) over.abort(error);
      else onTrouble?.(error);
    },
  });
  try {
    for await (const { object, isGone } of sights) {
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

/** Whether the state of an application is the end of waiting. */
function outcomeIn(application: WholeApplication, { until, untilDeleted = false, generation }: FollowOptions): Outcome | undefined {
  if (untilDeleted || !isCurrent(application, generation)) return undefined;
  const state = stateOf(application);
  if (until?.includes(state)) return { kind: 'state', application, isWanted: true };
  return isTerminal(state) ? { kind: 'state', application, isWanted: until === undefined && state === ApplicationState.COMPLETED } : undefined;
}
