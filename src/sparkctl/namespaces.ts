import type { KubeClient } from '../kube/client';
import { ApiError, isNotFound } from '../kube/errors';
import { NAMESPACES } from '../model/resources';

/** Returns whether a namespace does not exist; false if the user cannot read it. */
export async function isMissingNamespace(client: Pick<KubeClient, 'get'>, name: string, signal?: AbortSignal): Promise<boolean> {
  try {
    await client.get(NAMESPACES, { name }, { signal });
    return false;
  } catch (error) {
    if (error instanceof ApiError) return isNotFound(error);
    throw error;
  }
}
