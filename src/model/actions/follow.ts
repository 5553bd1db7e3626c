import type { Selection } from '../../kube/client';
import { ApiError, isGone, isResourceVersionTooNew, isTransient } from '../../kube/errors';
import { silentLogger } from '../../kube/logger';
import type { KubeObject } from '../../kube/objects';
import { Reflector, type ListWatcher } from '../../kube/reflector';
import type { Resource } from '../../kube/resource';
import { Store, type StoreEvent } from '../../kube/store';
import { readToTheEnd } from '../../kube/unread-list';
import type { ObjectRef } from './actions';
import type { Dependencies } from './persist';

/** What is known of a collection changes, or is complete for the first time. */
export type FollowEvent<T> = { readonly type: 'added' | 'updated' | 'deleted'; readonly object: T } | { readonly type: 'synced' };

/** A watch that fails so often in a row, for a reason that does not pass by itself, is given up. */
const MAX_REFUSALS = 5;

/** How a collection is followed. */
export interface FollowOptions extends Partial<Dependencies> {
  readonly signal?: AbortSignal;
  /** Whether each state of an object that is heard of is told, also if the next is known by then. @default - the newest is told, in place of all before it */
  readonly isEachTold?: boolean;
  /** Told that the connection is lost, and, without an error, that it is back. Must not throw. @default - nobody is told */
  readonly onTrouble?: (error: Error | undefined) => void;
}

/**
 * Follows a collection: what is there, then what changes. Lost watches are taken up again.
 *
 * @throws {ApiError} when the API server refuses it, or the signal's reason
 */
export async function* follow<T extends KubeObject>(
  client: ListWatcher, resource: Resource<T>, selection: Selection, { signal, clock, random, isEachTold = false, onTrouble }: FollowOptions,
): AsyncGenerator<FollowEvent<T>, never> {
  const store = new Store<T>();
  const waiting = new Map<string, FollowEvent<T>>();
  let told = 0;
  let failure: unknown;
  let isTroubled = false;
  let wake = () => {};
  store.subscribe((event) => {
    const key = isEachTold ? `${told++}` : event.object.metadata.uid ?? event.object.metadata.name;
    waiting.set(key, merged(waiting.get(key), event));
    wake();
  });
  const isBack = () => {
    if (isTroubled) onTrouble?.(undefined);
    isTroubled = false;
  };
  const reflector: Reflector<T> = new Reflector<T>({
    client: overheard(client, isBack),
    resource,
    store,
    ...selection,
    logger: silentLogger,
    clock,
    random,
    onError: (error) => {
      const { synced, failures } = reflector.health();
      if (isRefusal(error) && (!synced || failures + 1 >= MAX_REFUSALS)) {
        failure = error;
        wake();
      }
      isTroubled = true;
      onTrouble?.(error);
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

/** A client of which is told when it hears of the server. */
function overheard(client: ListWatcher, onHeard: () => void): ListWatcher {
  return {
    async openPage(resource, options) {
      const page = await client.openPage(resource, options);
      return { ...page, items: readToTheEnd(page.items, onHeard) };
    },
    watch: (resource, options, onEvent) => client.watch(resource, {
      ...options,
      onActivity: () => {
        onHeard();
        options.onActivity?.();
      },
    }, onEvent),
  };
}

/** One event in place of two of the same object. Whoever has not heard that it is there hears so. */
function merged<T>(before: FollowEvent<T> | undefined, { type, object }: StoreEvent<T>): FollowEvent<T> {
  return { type: before?.type === 'added' && type === 'updated' ? 'added' : type, object };
}

/** It would be refused again. */
function isRefusal(error: Error): boolean {
  return error instanceof ApiError && !isTransient(error) && !isGone(error) && !isResourceVersionTooNew(error);
}

/** One object as it was seen. Once it is gone it does not come again. */
export interface Sight<T> {
  readonly object: T;
  readonly isGone: boolean;
}

/**
 * Follows one object until it is deleted. Another one of its name is not followed.
 *
 * @throws {ApiError} when there is none of this name and no uid says that there was; when the API server refuses it; or the signal's reason
 */
export async function* followOne<T extends KubeObject>(
  client: ListWatcher, resource: Resource<T>, { namespace, name, uid }: ObjectRef, options: FollowOptions,
): AsyncGenerator<Sight<T>, void> {
  let last: T | undefined;
  const wanted = () => uid ?? last?.metadata.uid;
  for await (const event of follow(client, resource, { namespace, fieldSelector: `metadata.name=${name}` }, options)) {
    if (event.type === 'synced') {
      if (last) continue;
      if (uid !== undefined) return;
      throw notFound(resource, { namespace, name });
    }
    const { type, object } = event;
    // What has the name now came after ours, which is gone then; or ours has come since it was asked for.
    if (wanted() !== undefined && object.metadata.uid !== wanted()) continue;
    last = object;
    yield { object, isGone: type === 'deleted' };
    if (type === 'deleted') return;
  }
}

/** What the API server says of an object that is not there. */
export function notFound({ plural }: Resource, { namespace, name }: ObjectRef): ApiError {
  return new ApiError({ verb: 'get', resource: plural, namespace, name }, 404, { reason: 'NotFound', message: `${plural} ${JSON.stringify(name)} not found` });
}
