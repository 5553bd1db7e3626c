import { resourceOf } from './kinds';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

/**
 * Removes an object; one that is gone already is none to remove. What it owns goes before it.
 *
 * @throws {ApiError} if that is refused
 */
export async function removeObject(client: Pick<KubeClient, 'delete'>, object: KubeObject, signal: AbortSignal): Promise<void> {
  const { namespace, name, uid } = object.metadata;
  try {
    // One of the same name that came after it is somebody else's.
    await client.delete(resourceOf(object), { namespace, name }, { propagationPolicy: 'Foreground', ...(uid !== undefined && { preconditions: { uid } }), signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
