import type { Selection } from '../../kube/client';
import { ApiError, isGone, isResourceVersionTooNew, isTransient } from '../../kube/errors';
import { silentLogger } from '../../kube/logger';
import type { KubeObject } from '../../kube/objects';
import { Reflector, type ListWatcher } from '../../kube/reflector';
import type { Resource } from '../../kube/resource';
import { Store, type StoreEvent } from '../../kube/store';
import type { ObjectRef } from './actions';
import type { Dependencies } from './retry';

/** Change of a collection, or the end of its first list. */
export type FollowEvent<T> = { readonly type: 'added' | 'updated' | 'deleted'; readonly object: T } | { readonly type: 'synced' };

/** Maximum number of consecutive failures of a watch, for an error that a retry does not fix. */
const MAX_FAILURES = 5;

/** Options for following a collection. */
export interface FollowOptions extends Partial<Dependencies> {
  readonly signal?: AbortSignal;
  /**
   * Whether to yield every observed version of an object, also if a newer one is known.
   *
   * @default - only the newest
   */
  readonly everyVersion?: boolean;
  /**
   * Receives the error of a lost connection, and undefined when it is back. Must not throw.
   *
   * @default - none
   */
  readonly onTrouble?: (error: Error | undefined) => void;
}

/**
 * Follows a collection: yields existing objects, then changes. Lost watches are restarted.
 *
 * @throws {ApiError} when the API server rejects it, or the signal's reason
 */
export async function* follow<T extends KubeObject>(
  client: ListWatcher, resource: Resource<T>, selection: Selection,
  { signal, clock, random, everyVersion = false, onTrouble }: FollowOptions,
): AsyncGenerator<FollowEvent<T>, never> {
  const store = new Store<T>();
  const waiting = new Map<string, FollowEvent<T>>();
  let count = 0;
  let failure: unknown;
  let isTroubled = false;
  let wake = () => {};
  store.subscribe((event) => {
    const key = everyVersion ? `${count++}` : event.object.metadata.uid ?? event.object.metadata.name;
    waiting.set(key, merged(waiting.get(key), event));
    wake();
  });
  const reflector: Reflector<T> = new Reflector<T>({
    client,
    resource,
    store,
    ...selection,
    logger: silentLogger,
    clock,
    random,
    onError: (error) => {
      const { synced, failures } = reflector.health();
      if (isRefusal(error) && (!synced || failures + 1 >= MAX_FAILURES)) {
        failure = error;
        wake();
      }
      isTroubled = true;
      onTrouble?.(error);
    },
    onWell: () => {
      if (isTroubled) onTrouble?.(undefined);
      isTroubled = false;
    },
  });
  const abort = () => wake();
  signal?.addEventListener('abort', abort);
  try {
    signal?.throwIfAborted();
    reflector.start();
    void reflector.hasSynced.then((synced) => {
      if (synced) waiting.set('', { type: 'synced' });
      wake();
    });
    for (;;) {
      signal?.throwIfAborted();
      const [next] = waiting;
      if (next) {
        waiting.delete(next[0]);
        yield next[1];
      } else if (failure !== undefined) {
        throw failure;
      } else {
        await new Promise<void>((resolve) => { wake = resolve; });
      }
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    await reflector.stop();
  }
}

/**
 * Merges two events of the same object. If the reader has not received its creation yet, the result
 * is `added`.
 */
function merged<T>(before: FollowEvent<T> | undefined, { type, object }: StoreEvent<T>): FollowEvent<T> {
  return { type: before?.type === 'added' && type === 'updated' ? 'added' : type, object };
}

/** Whether a retry would be rejected again. */
export function isRefusal(error: Error): boolean {
  return error instanceof ApiError && !isTransient(error) && !isGone(error) && !isResourceVersionTooNew(error);
}

/** Observed version of an object; nothing follows its deletion. */
export interface Observed<T> {
  readonly object: T;
  readonly isGone: boolean;
}

/**
 * Follows one object until it is deleted. Does not follow another object of its name.
 *
 * @throws {ApiError} when no object has this name, and no uid proves that one existed; when the API
 * server rejects it; or the signal's reason
 */
export async function* followOne<T extends KubeObject>(
  client: ListWatcher, resource: Resource<T>, { namespace, name, uid }: ObjectRef, options: FollowOptions,
): AsyncGenerator<Observed<T>, void> {
  let last: T | undefined;
  const wanted = () => uid ?? last?.metadata.uid;
  for await (const event of follow(client, resource, { namespace, fieldSelector: `metadata.name=${name}` }, options)) {
    if (event.type === 'synced') {
      if (last) continue;
      if (uid !== undefined) return;
      throw notFound(resource, { namespace, name });
    }
    const { type, object } = event;
    // A different object has the name. Either it replaced ours, or ours was created since the first
    // read.
    if (wanted() !== undefined && object.metadata.uid !== wanted()) continue;
    last = object;
    yield { object, isGone: type === 'deleted' };
    if (type === 'deleted') return;
  }
}

/** Returns the API server's error for a missing object. */
export function notFound({ plural }: Resource, { namespace, name }: ObjectRef): ApiError {
  return new ApiError({ verb: 'get', resource: plural, namespace, name }, 404, {
    reason: 'NotFound', message: `${plural} ${JSON.stringify(name)} not found`,
  });
}
