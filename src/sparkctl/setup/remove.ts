import { resourceOf } from './kinds';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

/**
 * Deletes an object if it exists; its dependents are deleted first.
 *
 * @throws {ApiError} if the API server rejects it
 */
export async function removeObject(client: Pick<KubeClient, 'delete'>, object: KubeObject, signal: AbortSignal): Promise<void> {
  const { namespace, name, uid } = object.metadata;
  try {
    // A later object of the same name does not belong to the installation.
    await client.delete(resourceOf(object), { namespace, name }, {
      propagationPolicy: 'Foreground', ...(uid !== undefined && { preconditions: { uid } }), signal,
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
