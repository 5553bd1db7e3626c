import type { KubeClient } from '../../kube/client';
import { ignoring, isConflict, isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';

/** Dependencies of a deletion. */
export interface Deleter {
  readonly client: Pick<KubeClient, 'delete'>;
  /** Aborts pending calls when the operator stops. */
  readonly signal?: AbortSignal;
}

/**
 * Deletes an object by its uid, so that a new object of the same name stays. `force` skips its
 * grace period.
 */
export async function remove(
  { client, signal }: Deleter, resource: Resource<any>, { metadata: { namespace, name, uid } }: KubeObject, force = false,
): Promise<void> {
  await client.delete(resource, { namespace, name }, { preconditions: { uid }, ...(force && { gracePeriodSeconds: 0 }), signal })
    // The object is gone, or another one has its name by now.
    .catch(ignoring(isNotFound, isConflict));
}

/**
 * Deletes an object and what it owns, unless it has changed: its user might need it again.
 *
 * @throws ApiError with a conflict if it has changed
 */
export async function removeUnchanged(
  { client, signal }: Deleter, resource: Resource<any>, { metadata: { namespace, name, uid, resourceVersion } }: KubeObject,
): Promise<void> {
  await client.delete(
    resource, { namespace, name }, { preconditions: { uid, resourceVersion }, propagationPolicy: 'Background', signal },
  ).catch(ignoring(isNotFound));
}

/**
 * Waits for all calls, even when one fails: the operator could not delete an object that a call
 * still creates.
 */
export async function all(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') throw result.reason;
}
