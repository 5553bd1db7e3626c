import type { KubeClient } from '../kube/client';
import { ApiError, isNotFound } from '../kube/errors';
import type { KubeObject } from '../kube/objects';
import type { Resource } from '../kube/resource';
import { boundedMetadata } from '../model/bounded-metadata';

/** Dependencies of a read of a whole object. */
export interface Reader {
  readonly client: Pick<KubeClient, 'get'>;
  /** Aborts the call when the operator stops. */
  readonly signal?: AbortSignal;
}

/**
 * Reads an object whose specification is not kept.
 *
 * @param isSame whether the read object is still the one of the decision. @default - a new
 * generation is not
 * @throws {ApiError} a conflict if it has changed since the decision about it, or is gone
 */
export async function readWhole<T extends KubeObject>(
  { client, signal }: Reader, resource: Resource<T>, { metadata }: Pick<KubeObject, 'metadata'>,
  isSame = (current: T) => current.metadata.generation === metadata.generation,
): Promise<T> {
  const { namespace, name, uid } = metadata;
  const current = await client.get(resource, { namespace, name }, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    return undefined;
  });
  if (current && current.metadata.uid === uid && isSame(current)) {
    return { ...current, metadata: boundedMetadata(current.metadata) };
  }
  const message = 'its specification has changed since it was decided about';
  throw new ApiError({ verb: 'get', resource: resource.plural, namespace, name }, 409, { reason: 'Conflict', message });
}
