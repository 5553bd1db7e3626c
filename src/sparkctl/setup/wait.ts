import type { KubeClient } from '../../kube/client';
import { isGone, isNotFound } from '../../kube/errors';
import type { KubeObject, Ref } from '../../kube/objects';
import type { Resource } from '../../kube/resource';

/** What waiting needs of the client. */
export type WaitClient = Pick<KubeClient, 'get' | 'listPage' | 'watch'>;

/** What is waited for. */
export interface Wait<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly ref: Ref;
  /** Whether the object is as it should be; undefined: it is not there. */
  readonly isDone: (object: T | undefined) => boolean;
}

/**
 * Waits until an object is as it should be.
 *
 * @throws the signal's reason, once it is aborted
 */
export async function waitFor<T extends KubeObject>(client: WaitClient, { resource, ref, isDone }: Wait<T>, signal: AbortSignal): Promise<void> {
  const selection = { namespace: ref.namespace, fieldSelector: `metadata.name=${ref.name}` };
  for (;;) {
    const { items: [object], metadata: { resourceVersion } } = await client.listPage(resource, { ...selection, signal });
    if (isDone(object)) return;
    const enough = new AbortController();
    const both = AbortSignal.any([signal, enough.signal]);
    try {
      await client.watch(resource, { ...selection, resourceVersion, signal: both }, (event) => {
        if (event.type === 'BOOKMARK') return;
        if (isDone(event.type === 'DELETED' ? undefined : event.object)) enough.abort();
      });
    } catch (error) {
      if (enough.signal.aborted && !signal.aborted) return;
      if (!isGone(error)) throw error;
    }
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
