import type { KubeClient } from '../kube/client';
import { isNotFound } from '../kube/errors';
import { NAMESPACES } from '../model/resources';

/** Returns whether a namespace certainly does not exist; false if it cannot be read. */
export async function isMissingNamespace(client: Pick<KubeClient, 'get'>, name: string, signal?: AbortSignal): Promise<boolean> {
  try {
    await client.get(NAMESPACES, { name }, { signal });
    return false;
  } catch (error) {
    signal?.throwIfAborted();
    return isNotFound(error);
  }
}
