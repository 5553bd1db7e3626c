import { follow } from '../../model/actions/follow';
import type { Dependencies } from '../../model/actions/retry';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import type { KubeObject, Ref } from '../../kube/objects';
import type { Resource } from '../../kube/resource';

/** What waiting needs of the client. */
export type WaitClient = Pick<KubeClient, 'get' | 'listPage' | 'openPage' | 'watch'>;

/** What is waited for. */
export interface Wait<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly ref: Ref;
  /** Whether the object is as it should be; undefined: it is not there. */
  readonly isDone: (object: T | undefined) => boolean;
}

/**
 * Waits until an object is as it should be. A watch that breaks is begun again, as often as need be.
 *
 * @param surroundings @default - the machine's clock
 * @throws {ApiError} if the API server refuses it, or the signal's reason, once that is aborted
 */
export async function waitFor<T extends KubeObject>(
  client: WaitClient, { resource, ref: { namespace, name }, isDone }: Wait<T>, signal: AbortSignal, dependencies: Partial<Dependencies> = {},
): Promise<void> {
  let object: T | undefined;
  let isSynced = false;
  for await (const event of follow(client, resource, { namespace, fieldSelector: `metadata.name=${name}` }, { ...dependencies, signal })) {
    if (event.type === 'synced') isSynced = true;
    else object = event.type === 'deleted' ? undefined : event.object;
    // Before all is known, that none was heard of says nothing.
    if ((isSynced || object !== undefined) && isDone(object)) return;
  }
}

/** Reads an object. @returns undefined if there is none, or no such kind */
export async function readIfThere<T extends KubeObject>(client: Pick<KubeClient, 'get'>, resource: Resource<T>, ref: Ref, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await client.get(resource, ref, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
