import { follow } from '../../model/actions/follow';
import type { Dependencies } from '../../model/actions/retry';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import type { KubeObject, Ref } from '../../kube/objects';
import type { Resource } from '../../kube/resource';

/** Methods of the client that waiting needs. */
export type WaitClient = Pick<KubeClient, 'get' | 'listPage' | 'openPage' | 'watch'>;

/** Object and condition to wait for. */
export interface Wait<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly ref: Ref;
  /** Returns whether the condition is met; the object is undefined if it does not exist. */
  readonly isDone: (object: T | undefined) => boolean;
}

/**
 * Waits until an object meets a condition. It resumes lost watches without limit.
 *
 * @param dependencies @default - the machine's clock
 * @throws {ApiError} if the API server rejects it, or the signal's reason, once that is aborted
 */
export async function waitFor<T extends KubeObject>(
  client: WaitClient, { resource, ref: { namespace, name }, isDone }: Wait<T>, signal: AbortSignal,
  dependencies: Partial<Dependencies> = {},
): Promise<void> {
  let object: T | undefined;
  let isSynced = false;
  for await (const event of follow(client, resource, { namespace, fieldSelector: `metadata.name=${name}` }, { ...dependencies, signal })) {
    if (event.type === 'synced') isSynced = true;
    else object = event.type === 'deleted' ? undefined : event.object;
    // Before the first list is complete, a missing event does not prove that the object is missing.
    if ((isSynced || object !== undefined) && isDone(object)) return;
  }
}

/** Reads an object. @returns undefined if the object or its kind does not exist */
export async function readIfThere<T extends KubeObject>(
  client: Pick<KubeClient, 'get'>, resource: Resource<T>, ref: Ref, signal: AbortSignal,
): Promise<T | undefined> {
  try {
    return await client.get(resource, ref, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
