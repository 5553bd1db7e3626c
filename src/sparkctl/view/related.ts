import { LABEL_APP_NAME, LABEL_CONNECT_NAME } from '../../api/labels';
import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { PODS } from '../../model/resources';
import type { Target } from '../target';
import type { Involved } from './events';

/**
 * Returns an object and its Pods, whose events belong together. Without the permission to read
 * Pods, it returns the object alone.
 */
export async function relatedObjects(
  client: KubeClient, { kind, resource, ref: { name, namespace } }: Target, signal?: AbortSignal,
): Promise<Involved[]> {
  const objects: Involved[] = [{ kind: resource.kind, name }];
  if (kind === 'schedule') return objects;
  try {
    const labelSelector = `${kind === 'connect' ? LABEL_CONNECT_NAME : LABEL_APP_NAME}=${name}`;
    for await (const { metadata } of client.list(PODS, { namespace, labelSelector, signal })) {
      objects.push({ kind: PODS.kind, name: metadata.name });
    }
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  return objects;
}
