import type { KubeClient } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';
import { apiVersionOf, type Resource } from '../../kube/resource';

/**
 * Writes the status of an object. Returns the object as the API server has it now.
 *
 * @throws ApiError with a conflict if the object has changed since it was read
 */
export function writeStatus(
  client: Pick<KubeClient, 'updateStatus'>, resource: Resource<any>, { metadata }: KubeObject, status: object, signal?: AbortSignal,
): Promise<any> {
  const { name, namespace, uid, resourceVersion } = metadata;
  // The API server reads only the status.
  const body = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name, namespace, uid, resourceVersion }, status };
  return client.updateStatus(resource, body, { signal });
}
