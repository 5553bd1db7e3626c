import { ApplicationState, isTerminal } from '../../api/states';
import { backoff } from '../../kube/backoff';
import type { KubeClient, WatchEvent } from '../../kube/client';
import { type Clock, type Random, sleep, systemClock } from '../../kube/clock';
import { ApiError, isGone, isTransient, toError } from '../../kube/errors';
import type { Ref } from '../../kube/objects';
import { SPARK_APPLICATIONS } from '../../operator/resources';
import { stateOf, type SparkApplication } from '../../operator/spark-application/model';

/** Seconds after which the server is asked to end a watch, so that no connection grows old. */
const WATCH_SECONDS = 300;

/** Milliseconds between two attempts to get a lost watch back, at first and at most. */
const [MIN_WAIT, MAX_WAIT] = [500, 10_000];

/** What is waited for, and who is told. */
export interface FollowOptions {
  /** States, any of which is waited for. @default - the end: COMPLETED or FAILED */
  readonly until?: readonly ApplicationState[];
  /** Whether only the deletion of the application is waited for, whatever state it is in. @default false */
  readonly untilDeleted?: boolean;
  /** The object that is meant: one of the same name that comes later is another. @default - the first that is seen */
  readonly uid?: string;
  /** What the status says about an older `metadata.generation` than this does not count. @default - all counts */
  readonly generation?: number;
  /** Milliseconds after which it is given up. @default - without end */
  readonly timeout?: number;
  /** Told of each state of the object, the first one included. Must not throw. @default - nobody is told */
  readonly onChange?: (application: SparkApplication) => void;
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
  | { readonly kind: 'state'; readonly application: SparkApplication; readonly isWanted: boolean }
  /** It has been deleted. `application` is as it was last seen. */
  | { readonly kind: 'deleted'; readonly application?: SparkApplication }
  /** The time is up. */
  | { readonly kind: 'timed-out'; readonly application?: SparkApplication };

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
export async function follow(client: Pick<KubeClient, 'listPage' | 'watch'>, { namespace, name }: Ref, options: FollowOptions = {}): Promise<Outcome> {
  const { clock = systemClock, random = Math.random, until, signal, timeout, onChange, onTrouble } = options;
  signal?.throwIfAborted();
  const over = new AbortController();
  let outcome: Outcome | undefined;
  let last: SparkApplication | undefined;
  let { uid } = options;
  const end = (found: Outcome) => {
    outcome ??= found;
    over.abort();
  };
  const look = (application: SparkApplication | undefined) => {
    if (outcome) return;
    if (!application || (uid !== undefined && application.metadata.uid !== uid)) {
      if (uid === undefined) throw new ApiError({ verb: 'get', resource: SPARK_APPLICATIONS.plural, namespace, name }, 404, { message: `there is no SparkApplication ${name}` });
      return end({ kind: 'deleted', application: last });
    }
    uid = application.metadata.uid;
    last = application;
    onChange?.(application);
    if (options.untilDeleted) return;
    const state = stateOf(application);
    if ((application.status?.observedGeneration ?? Infinity) < (options.generation ?? 0)) return;
    if (until?.includes(state)) end({ kind: 'state', application, isWanted: true });
    else if (isTerminal(state)) end({ kind: 'state', application, isWanted: until === undefined && state === ApplicationState.COMPLETED });
  };

  const interrupt = () => over.abort();
  signal?.addEventListener('abort', interrupt, { once: true });
  const timer = timeout === undefined ? undefined : clock.setTimeout(() => end({ kind: 'timed-out', application: last }), timeout);
  let resourceVersion: string | undefined;
  let failures = 0;
  const fieldSelector = `metadata.name=${name}`;
  const isBack = () => {
    if (failures > 0) onTrouble?.(undefined);
    failures = 0;
  };
  const onEvent = ({ type, object }: WatchEvent<SparkApplication>) => {
    ({ resourceVersion } = object.metadata);
    if (type !== 'BOOKMARK') look(type === 'DELETED' ? undefined : object);
  };
  try {
    while (!outcome) {
      signal?.throwIfAborted();
      try {
        if (resourceVersion === undefined) {
          const page = await client.listPage(SPARK_APPLICATIONS, { namespace, fieldSelector, signal: over.signal });
          isBack();
          look(page.items[0]);
          ({ resourceVersion } = page.metadata);
        } else {
          await client.watch(SPARK_APPLICATIONS, { namespace, fieldSelector, resourceVersion, timeoutSeconds: WATCH_SECONDS, onActivity: isBack, signal: over.signal }, onEvent);
        }
      } catch (error) {
        if (outcome) break;
        signal?.throwIfAborted();
        if (isGone(error)) resourceVersion = undefined;
        // What has never worked is no connection that was lost.
        else if (last === undefined || !isTransient(error)) throw error;
        onTrouble?.(toError(error));
        await sleep(clock, backoff(failures++, MIN_WAIT, MAX_WAIT, random), over.signal).catch(() => undefined);
      }
    }
    return outcome;
  } finally {
    clock.clearTimeout(timer);
    signal?.removeEventListener('abort', interrupt);
    over.abort();
  }
}
